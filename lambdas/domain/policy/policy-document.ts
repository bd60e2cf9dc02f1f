// A policy document: what one scope says. Written by administrators, checked here before it is stored; there is no
// field that the evaluation does not read, and none that it does not know.
import * as z from 'zod';
import { kindOf } from '../directory/entries.ts';
import type { BreakGlass } from '../events.ts';
import { LIMITS } from '../limits.ts';
import { riskSchema } from '../registry.ts';
import { asking, checkAsking } from './asking.ts';

const name = z.string().min(1).max(LIMITS.name_length);
const target = z.string().max(LIMITS.name_length).regex(/^(\*|tool:[^\s]+|mcp:[^\s/*?]+\/[^\s]+)$/, 'a target is *, tool:<name or glob> or mcp:<server>/<tool or glob>');
const rule = {
  id: name.regex(/^[A-Za-z0-9._-]+$/, 'letters, digits, dot, dash and underscore'),
  target,
  /** JSONata over `arguments`, `scope`, `tool`, `requester`; the rule speaks only where it holds. */
  when: z.string().min(1).max(2048).optional(),
};
const riskOfRule = riskSchema.extend({ reasons: z.array(z.string().max(256)).default([]) }).optional();

export const ruleSchema = z.discriminatedUnion('effect', [
  z.strictObject({ ...rule, effect: z.literal('allow'), risk: riskOfRule }),
  z.strictObject({ ...rule, effect: z.literal('ask'), risk: riskOfRule, ...asking }).superRefine(checkAsking),
  z.strictObject({ ...rule, effect: z.literal('deny'), risk: riskOfRule }),
]);

const AGENT_MODES = { autonomous: 'autonomous', auto: 'autonomous', '': 'autonomous', monitored: 'monitored', strict: 'strict', prompt: 'strict', manual: 'strict', tools: 'strict' } as const;

const common = {
  /** Who answers an ask that comes from a mode, a list or the default rather than from a rule. */
  default_approvers: z.strictObject(asking).superRefine(checkAsking).optional(),
  rules: z.array(ruleSchema).max(1000).default([]),
};
/** A server is what stands before the first `/` of a tool's name. */
const server = name.regex(/^[^\s/*?]+$/, 'a server is named without blanks, /, * and ?');
const mcp_servers = z.record(server, z.strictObject({ approval_tools: z.array(name) })).optional();

const groupRef = z.string().refine((reference) => kindOf(reference) === 'group', 'a group is group:<id>');
/** Two of `group` may grant what nobody answers, within `within_seconds` of each other; `review_by` looks at it afterwards. */
const break_glass = z.strictObject({ group: groupRef, review_by: groupRef, within_seconds: z.int().min(60).max(3600).default(900) });
/** Only an organisation allows it; what is narrower can only forbid it. */
const no_break_glass = z.literal('never').optional();

const organisation = z.strictObject({ ...common, break_glass: break_glass.optional(), approval_mode: z.enum(['default', 'tools']).default('default'), mcp_servers });
const workspace = z.strictObject({ ...common, break_glass: no_break_glass, mcp_servers });
const agent = z.strictObject({
  ...common,
  break_glass: no_break_glass,
  agent_mode: z
    .enum(Object.keys(AGENT_MODES) as [keyof typeof AGENT_MODES])
    .default('autonomous')
    .transform((mode) => AGENT_MODES[mode]),
});

/** By kind of scope, before defaults: what may be written. */
export const documentSchemas = { org: organisation, workspace, agent } as const;

export type Rule = z.infer<typeof ruleSchema>;
export type DefaultApprovers = z.infer<typeof common.default_approvers>;
export type AgentMode = 'autonomous' | 'monitored' | 'strict';

/** One document, whatever its scope; a field that its scope does not have is at its neutral value. */
export interface PolicyDocument {
  readonly rules: readonly Rule[];
  readonly default_approvers?: DefaultApprovers;
  readonly break_glass?: BreakGlass | 'never';
  readonly approval_mode: 'default' | 'tools';
  readonly agent_mode: AgentMode;
  readonly mcp_servers: Readonly<Record<string, { readonly approval_tools: readonly string[] }>>;
}

export type PolicyScope = `org:${string}` | `workspace:${string}` | `agent:${string}`;

export function isPolicyScope(text: string): text is PolicyScope {
  return /^(org|workspace|agent):[A-Za-z0-9._-]{1,128}$/.test(text);
}

export const NO_POLICY: PolicyDocument = { rules: [], approval_mode: 'default', agent_mode: 'autonomous', mcp_servers: {} };

/** Throws a ZodError naming the fields at fault. */
export function parsePolicy(scope: PolicyScope, input: unknown): PolicyDocument {
  if (scope.startsWith('org:')) return { ...NO_POLICY, ...withoutAbsent(organisation.parse(input)) };
  if (scope.startsWith('workspace:')) return { ...NO_POLICY, ...withoutAbsent(workspace.parse(input)) };
  return { ...NO_POLICY, ...withoutAbsent(agent.parse(input)) };
}

function withoutAbsent<T extends object>(document: T): T {
  return Object.fromEntries(Object.entries(document).filter(([, value]) => value !== undefined)) as T;
}
