// Everything that policy says of one call, level by level: tool identity, organisation, agent mode, default lists.
// Documents can only add findings, and findings only tighten, so no stored document can loosen a wider one.
import type { BreakGlass, Requester, Risk, Scope } from '../events.ts';
import type { JsonValue } from '../json/json-value.ts';
import type { Tool, Workspace } from '../registry.ts';
import { requirementOf, type Asking } from './asking.ts';
import { AUTO_APPROVAL, preconditionOf } from './auto-approval.ts';
import { joinAll, joinRisks, judgementOf, type Finding, type Judgement } from './judgement.ts';
import type { PolicyDocument, PolicyScope, Rule } from './policy-document.ts';
import { isMcpName, targetMatches } from './target.ts';

export interface ScopedPolicy {
  readonly scope: PolicyScope;
  readonly revision: number;
  readonly document: PolicyDocument;
}

/** The call as rules may look at it. */
export interface JudgedCall {
  readonly tool: string;
  readonly arguments: JsonValue;
  readonly scope: Scope;
  readonly requester: Requester;
}

/** `unclear`: the expression failed, ran too long, or did not come to true or false. */
export type Holds = 'yes' | 'no' | 'unclear';
export type Condition = (expression: string, call: JudgedCall, definition: Tool | undefined) => Promise<Holds>;

export interface PolicyFacts {
  /** Widest first: organisation, workspace, agent. */
  readonly policies: readonly ScopedPolicy[];
  readonly definition: Tool | undefined;
  readonly workspace: Workspace;
  readonly holds: Condition;
}

export type PolicyVerdict = Judgement & {
  readonly timeout_seconds: number;
  readonly break_glass?: BreakGlass;
  readonly policy_revision: string;
  readonly agent_mode: PolicyDocument['agent_mode'];
};

export interface RuleTrace {
  readonly rule: string;
  readonly effect: Rule['effect'];
  readonly fired: boolean;
  readonly why: string;
}

export interface Evaluation {
  readonly verdict: PolicyVerdict;
  readonly trace: readonly RuleTrace[];
  readonly findings: readonly Finding[];
}

const DEFAULT_TIMEOUT_SECONDS = 24 * 3600;
const UNREGISTERED: Risk = { level: 'high', reasons: ['the tool is not registered'] };

export async function evaluatePolicy(call: JudgedCall, facts: PolicyFacts): Promise<Evaluation> {
  const { findings: fromRules, trace } = await ruleFindings(call, facts);
  const explicit = [...identityFindings(call, facts), ...modeFindings(facts), ...fromRules, ...autoFindings(call, facts)];
  const findings = isListed(explicit, facts) ? explicit : [...explicit, level('default', 'ask', 'unlisted.v1')];
  return { verdict: verdictOf(findings, facts), trace, findings };
}

/** Whatever nothing speaks of asks. An explicit allow is what lifts that, and only of a tool that is registered. */
function isListed(findings: readonly Finding[], { definition }: PolicyFacts): boolean {
  return findings.some(({ effect }) => effect !== 'allow' || definition !== undefined);
}

function verdictOf(findings: readonly Finding[], { policies, definition }: PolicyFacts): PolicyVerdict {
  const own: Finding = { source: '', effect: 'allow', policy_id: '', risk: definition?.risk ?? UNREGISTERED };
  const joined = joinAll(findings.flatMap((finding) => answerable(finding, policies)).map(judgementOf));
  return {
    ...joined,
    requirements: joined.verdict === 'ask' ? joined.requirements : [],
    ...(joined.verdict === 'ask' ? breakGlassOf(policies) : {}),
    timeout_seconds: joined.timeout_seconds ?? waitOf(policies),
    risk: joinRisks(judgementOf(own).risk, joined.risk),
    policy_revision: policies.map(({ scope, revision }) => `${scope}@${revision}`).join(','),
    agent_mode: agentMode(policies),
  };
}

/**
 * An ask that names nobody is for the default approvers of every scope, and one that names no time waits as long as
 * the shortest of them: whatever else asks can then only be added to it.
 */
function answerable(finding: Finding, policies: readonly ScopedPolicy[]): readonly Finding[] {
  if (finding.effect !== 'ask') return [finding];
  const asked = finding.requirement === undefined ? policies.flatMap(({ document }) => (document.default_approvers === undefined ? [] : [askOf(document.default_approvers)])) : [{}];
  const timeout_seconds = finding.timeout_seconds ?? waitOf(policies);
  return (asked.length === 0 ? [{}] : asked).map((ask) => extendable({ ...finding, ...ask, timeout_seconds }));
}

/** Who asks people and says nothing of extending does not want it extended. */
function extendable(finding: Finding & { readonly timeout_seconds: number }): Finding {
  return finding.requirement === undefined ? finding : { ...finding, extendable_to_seconds: finding.extendable_to_seconds ?? finding.timeout_seconds };
}

function askOf(asking: Asking): Partial<Finding> {
  const { extendable_to_seconds, reminders } = asking;
  return { requirement: requirementOf(asking), ...(extendable_to_seconds === undefined ? {} : { extendable_to_seconds }), ...(reminders === undefined ? {} : { reminders }) };
}

function waitOf(policies: readonly ScopedPolicy[]): number {
  return Math.min(DEFAULT_TIMEOUT_SECONDS, ...policies.flatMap(({ document }) => document.default_approvers?.timeout_seconds ?? []));
}

/** Tool identity: what always asks, and what an MCP server's operators listed. */
function identityFindings({ tool }: JudgedCall, { policies }: PolicyFacts): Finding[] {
  const listing = policies.filter(({ document }) => isListedForApproval(document, tool));
  return [
    ...(tool === 'request_approval' ? [level('request_approval', 'ask', 'request_approval.v1')] : []),
    ...listing.map(({ scope }) => level(`${scope}/mcp_servers`, 'ask', 'mcp.approval_tools.v1')),
  ];
}

export function isListedForApproval({ mcp_servers }: PolicyDocument, tool: string): boolean {
  const slash = tool.indexOf('/');
  const server = tool.slice(0, Math.max(0, slash));
  return Object.hasOwn(mcp_servers, server) && mcp_servers[server]?.approval_tools.includes(tool.slice(slash + 1)) === true;
}

function modeFindings({ policies, definition }: PolicyFacts): Finding[] {
  if (definition?.consequence === 'observation') return [];
  return policies.flatMap(({ scope, document }) => [
    ...(document.approval_mode === 'tools' ? [level(`${scope}/approval_mode`, 'ask', 'approval_mode.tools.v1')] : []),
    ...(document.agent_mode === 'strict' ? [level(`${scope}/agent_mode`, 'ask', 'agent_mode.strict.v1')] : []),
  ]);
}

/** The named lists, where their precondition is a fact of the workspace. Never an MCP tool; never a strict agent. */
function autoFindings({ tool }: JudgedCall, { policies, workspace }: PolicyFacts): Finding[] {
  if (isMcpName(tool) || agentMode(policies) === 'strict') return [];
  return AUTO_APPROVAL.filter(({ tools, needs }) => tools.includes(tool) && preconditionOf(workspace, needs)).map(({ policy_id }) => level(policy_id, 'allow', policy_id));
}

async function ruleFindings(call: JudgedCall, { policies, definition, holds }: PolicyFacts): Promise<{ findings: Finding[]; trace: RuleTrace[] }> {
  const findings: Finding[] = [];
  const trace: RuleTrace[] = [];
  for (const { scope, document } of policies) {
    for (const rule of document.rules) {
      const why = await whyFired(rule, call, definition, holds);
      trace.push({ rule: `${scope}/${rule.id}`, effect: rule.effect, ...why });
      if (why.fired) findings.push(findingOf(scope, rule));
    }
  }
  return { findings, trace };
}

/** An expression that cannot be judged fires where firing tightens, and does not where it would loosen. */
async function whyFired(rule: Rule, call: JudgedCall, definition: Tool | undefined, holds: Condition): Promise<{ fired: boolean; why: string }> {
  if (!targetMatches(rule.target, call.tool)) return { fired: false, why: 'the target does not match' };
  if (rule.when === undefined) return { fired: true, why: 'the target matches' };
  const held = await holds(rule.when, call, definition);
  if (held === 'unclear') return { fired: rule.effect !== 'allow', why: 'the condition could not be judged' };
  return { fired: held === 'yes', why: held === 'yes' ? 'the target matches and the condition holds' : 'the condition does not hold' };
}

function findingOf(scope: PolicyScope, rule: Rule): Finding {
  const { effect, risk } = rule;
  const common = { source: `${scope}/${rule.id}`, effect, policy_id: rule.id, ...(risk === undefined ? {} : { risk }) };
  if (rule.effect !== 'ask') return common;
  const { timeout_seconds } = rule;
  return { ...common, ...askOf(rule), ...(timeout_seconds === undefined ? {} : { timeout_seconds }) };
}

function level(source: string, effect: Finding['effect'], policy_id: string): Finding {
  return { source, effect, policy_id };
}

function breakGlassOf(policies: readonly ScopedPolicy[]): { readonly break_glass?: BreakGlass } {
  const said = policies.flatMap(({ document }) => document.break_glass ?? []);
  const [first] = said;
  return first === undefined || first === 'never' || said.includes('never') ? {} : { break_glass: first };
}

function agentMode(policies: readonly ScopedPolicy[]): PolicyDocument['agent_mode'] {
  const modes = policies.map(({ document }) => document.agent_mode);
  return modes.find((mode) => mode === 'strict') ?? modes.find((mode) => mode === 'monitored') ?? 'autonomous';
}
