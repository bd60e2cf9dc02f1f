// What a deployment may choose, read from `countersign.config.ts`. A wrong value is refused at synthesis with the
// name of its field, long before AWS could stumble over it.
import * as z from 'zod';
import { LIMITS } from '../lambdas/domain/limits.ts';
import { isPolicyScope, parsePolicy } from '../lambdas/domain/policy/policy-document.ts';
import { parseRegistry, type RegistryDocument, type RegistryInput } from '../lambdas/domain/registry.ts';

/** Of what CloudWatch Logs accepts; keeping longer is a matter for an archive. */
const LOG_RETENTION_DAYS = [1, 7, 30, 90, 180, 365, 731] as const;
const FUNCTION_ARN = /^arn:aws[a-z-]*:lambda:[a-z0-9-]+:\d{12}:function:[A-Za-z0-9_-]{1,64}(:[A-Za-z0-9_$-]{1,128})?$/;
/** API Gateway shows an assumed role without its path, so a role is registered without one. */
const PROGRAM_ARN = /^iam:arn:aws[a-z-]*:iam::\d{12}:(role\/[\w+=,.@-]+|user\/[\w+=,.@/-]+)$/;

const configurationSchema = z.strictObject({
  /** Two deployments in one account and region need two names. */
  stack_name: z.string().regex(/^[A-Za-z][A-Za-z0-9-]{0,60}$/, 'a stack name is a letter, then letters, digits and hyphens').default('Countersign'),
  /** What becomes of tables, keys, logs and users when the stack is deleted. */
  removal: z.enum(['retain', 'destroy']).default('retain'),
  log_retention_days: z.literal(LOG_RETENTION_DAYS).default(90),
  /** Whose tokens people bring. Without it the stack makes a Cognito user pool. */
  sign_in: z
    .strictObject({
      issuer: z.string().regex(/^https:\/\/[^\s?#]+$/, 'an issuer is an https URL without query'),
      audience: z.array(z.string().min(1)).min(1),
    })
    .optional(),
  /** How many operations one agent may have waiting for people in one workspace. */
  max_pending_per_agent: z.int().min(1).max(LIMITS.pending_per_agent).default(LIMITS.pending_per_agent_default),
  /** A claim of people's tokens that names groups; the directory says of each group whether it may be named so. */
  groups_claim: z
    .strictObject({ claim: z.string().min(1).max(128), max_age_seconds: z.int().min(60, 'a token\'s word is believed for a minute at least').max(24 * 3600).default(3600) })
    .optional(),
  alarm_topic_arn: z.string().regex(/^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[A-Za-z0-9_.-]+$/, 'a topic is named by its ARN').optional(),
  /** Seeds of the policies, one a scope; see policies/. An administrator's own change is never written over. */
  policies: z
    .array(z.strictObject({ scope: z.string().refine(isPolicyScope, 'a policy scope is org:<id>, workspace:<id> or agent:<id>'), document: z.record(z.string(), z.unknown()) }))
    .default([]),
  registry: z.custom<RegistryInput>((value) => typeof value === 'object' && value !== null, 'the registry is an object'),
});

export type ConfigurationInput = z.input<typeof configurationSchema>;
export type Configuration = Readonly<Omit<z.output<typeof configurationSchema>, 'registry'> & { registry: RegistryDocument }>;

/** Throws an Error that names every field at fault. */
export function parseConfiguration(input: unknown): Configuration {
  const parsed = configurationSchema.safeParse(input);
  if (!parsed.success) throw new Error(`The configuration is refused:\n${z.prettifyError(parsed.error)}`);
  const registry = parseRegistry(parsed.data.registry);
  const { policies } = parsed.data;
  const faults = [...executorFaults(registry), ...principalFaults(registry), ...scopeFaults(policies, registry), ...policies.flatMap(documentFaults)];
  if (faults.length > 0) throw new Error(`The configuration is refused:\n${faults.map((fault) => `✖ ${fault}`).join('\n')}`);
  return { ...parsed.data, registry };
}

function executorFaults({ tools }: RegistryDocument): string[] {
  return tools.flatMap(({ executor }, index) =>
    executor === undefined || FUNCTION_ARN.test(executor.function) ? [] : [`a tool on AWS is run by a Lambda function, named by its ARN\n  → at registry.tools[${index}].executor.function`],
  );
}

type Policies = Configuration['policies'];

/** A policy for a scope that nothing is in would look as if it held. */
function scopeFaults(policies: Policies, { workspaces, programs }: RegistryDocument): string[] {
  const known = new Set([
    ...workspaces.flatMap(({ id, org_id }) => [`org:${org_id}`, `workspace:${id}`]),
    ...programs.flatMap(({ agent_ids }) => agent_ids.map((id) => `agent:${id}`)),
  ]);
  return policies.flatMap(({ scope }, index) => {
    const why = !known.has(scope) ? 'the registry holds nothing of this name' : policies.findIndex((each) => each.scope === scope) < index ? 'the scope stands twice' : undefined;
    return why === undefined ? [] : [`${why}\n  → at policies[${index}].scope`];
  });
}

function documentFaults({ scope, document }: Policies[number], index: number): string[] {
  try {
    parsePolicy(scope, document);
    return [];
  } catch (thrown) {
    if (!(thrown instanceof z.ZodError)) throw thrown;
    return thrown.issues.map(({ message, path }) => `${message}\n  → at ${z.core.toDotPath(['policies', index, 'document', ...path])}`);
  }
}

function principalFaults({ programs }: RegistryDocument): string[] {
  return programs.flatMap(({ principals }, program) =>
    principals.flatMap((principal, index) =>
      PROGRAM_ARN.test(principal) ? [] : [`a program is proven by iam:<ARN of a role without its path, or of a user>\n  → at registry.programs[${program}].principals[${index}]`],
    ),
  );
}
