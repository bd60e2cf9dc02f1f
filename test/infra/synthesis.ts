// The stack as tests see it: synthesised once per configuration, code left out, roles and statements made readable.
import { readFileSync } from 'node:fs';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { ApprovalStack } from '../../infra/approval-stack.ts';
import { parseConfiguration, type ConfigurationInput } from '../../infra/config.ts';
import type { FunctionName } from '../../infra/routes.ts';

interface CdkJson {
  readonly context: Readonly<Record<string, unknown>>;
}

export interface Resource {
  readonly Type: string;
  readonly Properties: Record<string, any>;  
  readonly DeletionPolicy?: string;
}

export interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource?: unknown;
  readonly Principal?: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export const TOOL_ARN = 'arn:aws:lambda:eu-west-1:111122223333:function:refund-payment';

/** A small deployment with one tool that Countersign runs itself. */
export const CONFIGURATION: ConfigurationInput = {
  policies: [{ scope: 'workspace:w1', document: { rules: [{ id: 'refunds', target: 'tool:refund_payment', effect: 'ask', approvers: ['user:ana'], timeout_seconds: 3600 }] } }],
  registry: {
    workspaces: [{ id: 'w1', org_id: 'example' }],
    programs: [{ subject: 'agent:billing-bot', principals: ['iam:arn:aws:iam::111122223333:role/billing-bot'], agent_ids: ['billing-bot'], workspaces: ['w1'], owner: 'user:olga' }],
    people: ['ana', 'olga'].map((name) => ({ subject: `user:${name}`, principals: [`oidc:https://login.example.com#${name}`] })),
    tools: [
      {
        name: 'refund_payment',
        version: '1',
        consequence: 'irreversible',
        executor: { function: TOOL_ARN },
      },
    ],
  },
};

export function createStack(input: ConfigurationInput = CONFIGURATION): ApprovalStack {
  const { context } = JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8')) as CdkJson;
  return new ApprovalStack(new App({ context: { ...context, 'aws:cdk:bundling-stacks': [] } }), parseConfiguration(input));
}

export function synthesise(input: ConfigurationInput = CONFIGURATION): Template {
  return Template.fromStack(createStack(input));
}

export function resourcesOf(template: Template, type: string): Readonly<Record<string, Resource>> {
  return template.findResources(type) as Readonly<Record<string, Resource>>;
}

export function allResources(template: Template): Readonly<Record<string, Resource>> {
  return (template.toJSON() as { readonly Resources: Readonly<Record<string, Resource>> }).Resources;
}

/** The one resource of this type whose logical id begins so. */
export function only(template: Template, type: string, prefix = ''): Resource {
  const found = Object.entries(resourcesOf(template, type)).filter(([id]) => id.startsWith(prefix));
  if (found.length !== 1 || found[0] === undefined) throw new Error(`${found.length} of ${type} ${prefix}`);
  return found[0][1];
}

export function functionOf(template: Template, name: FunctionName): Resource {
  return only(template, 'AWS::Lambda::Function', functionId(name));
}

export function functionId(name: FunctionName): string {
  return `Functions${name.replaceAll('-', '')}Function`;
}

/** Every statement of every policy that is attached to the role of this function. */
export function statementsOf(template: Template, roleId: string): readonly Statement[] {
  return Object.values(resourcesOf(template, 'AWS::IAM::Policy'))
    .filter(({ Properties }) => (Properties.Roles as readonly { readonly Ref: string }[]).some((role) => role.Ref.startsWith(roleId)))
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement as readonly Statement[]);
}

/** One line per action and resource: `dynamodb:PutItem EventLogTable on rows op_*`, sorted. */
export function rightsOf(template: Template, name: FunctionName): readonly string[] {
  return rightsOfRole(template, `Functions${name.replaceAll('-', '')}Role`);
}

export function rightsOfRole(template: Template, roleId: string): readonly string[] {
  const lines = statementsOf(template, roleId).flatMap((statement) => {
    if (statement.Effect !== 'Allow') throw new Error('A role only allows');
    return many(statement.Action).flatMap((action) => many(statement.Resource).map((resource) => `${String(action)} ${readable(resource)}${conditions(statement)}`));
  });
  return [...new Set(lines)].sort();
}

/** `EventLogTable`, `EventLogTable/index/unpublished`, or the text itself. */
export function readable(value: unknown): string {
  if (typeof value === 'string') return value;
  const token = value as { readonly Ref?: string; readonly 'Fn::GetAtt'?: readonly [string, string]; readonly 'Fn::Join'?: readonly [string, readonly unknown[]] };
  if (token.Ref !== undefined) return token.Ref.startsWith('AWS::') ? token.Ref : shortId(token.Ref);
  if (token['Fn::GetAtt'] !== undefined) return `${shortId(token['Fn::GetAtt'][0])}${token['Fn::GetAtt'][1] === 'StreamArn' ? '/stream' : ''}`;
  if (token['Fn::Join'] !== undefined) return token['Fn::Join'][1].map(readable).join(token['Fn::Join'][0]);
  throw new Error(`Unreadable: ${JSON.stringify(value)}`);
}

export function many(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [value];
}

function shortId(id: string): string {
  return id.replace(/[0-9A-F]{8}$/, '');
}

/** The pair of conditions that binds a statement to rows reads ` on rows op_*`; one without the other is not shortened. */
function conditions({ Condition }: Statement): string {
  if (Condition === undefined) return '';
  const rows = Condition['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'];
  if (rows !== undefined && Condition.Null?.['dynamodb:LeadingKeys'] === 'false' && Object.keys(Condition).length === 2) return ` on rows ${many(rows).map(readable).join(' ')}`;
  const tests = Object.entries(Condition).flatMap(([test, keys]) => Object.entries(keys).map(([key, value]) => `${test} ${key} ${many(value).map(readable).join(' ')}`));
  return ` if ${tests.join(' and ')}`;
}
