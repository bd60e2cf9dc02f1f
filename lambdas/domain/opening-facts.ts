// Everything that people will be shown of a call and everything that binds it, derived once from the canonical
// arguments. Only `reason_claimed` comes from the agent, and it says so in its name.
import { bindingHash, displayHash } from './binding.ts';
import { boundedText } from './display/visible-text.ts';
import { projectDisplay } from './display/project-display.ts';
import { summarise, summariseWith } from './display/summary.ts';
import type { OperationType, Requester, Scope } from './events.ts';
import type { JsonValue } from './json/json-value.ts';
import type { OpeningFacts } from './operation.ts';
import { toolDigest, type Tool, type Workspace } from './registry.ts';

export interface Call {
  readonly operation_id: string;
  readonly type: OperationType;
  readonly tool: string;
  readonly arguments: JsonValue;
  readonly arguments_hash: string;
  readonly scope: Scope;
  readonly requester: Requester;
  readonly call_id?: string;
  readonly lease_seconds?: number;
  readonly reason?: string;
}

const REASON_SHOWN_BYTES = 512;
const UNREGISTERED = 'unregistered';

export interface Surroundings {
  readonly definition: Tool | undefined;
  readonly workspace: Workspace;
  readonly policy_revision: string;
}

export function openingFacts(call: Call, { definition, workspace, policy_revision }: Surroundings): Omit<OpeningFacts, 'scope' | 'requested_at' | 'asked' | 'decide_by' | 'risk' | 'policy'> {
  const { display, redaction } = projectDisplay(call.arguments, definition?.display);
  const display_hash = displayHash(display);
  const tool_version = definition?.version ?? UNREGISTERED;
  const tool_digest = definition === undefined ? UNREGISTERED : toolDigest(definition);
  const { operation_id, tool, scope, requester, arguments_hash } = call;
  const binding_hash = bindingHash({ operation_id, scope, tool, tool_version, tool_digest, arguments_hash, display_hash, policy_revision, requester });
  return {
    operation: { id: operation_id, type: call.type, tool, tool_version, summary: summaryOf(call, definition, display), arguments: display, arguments_hash, binding_hash },
    redaction,
    details: { consequence: definition?.consequence ?? 'unknown', idempotent: definition?.idempotent ?? false, ...(workspace.sandbox === undefined ? {} : { workspace_path: workspace.sandbox.path }) },
    requester,
    ...(call.call_id === undefined ? {} : { call_id: call.call_id }),
    ...(call.lease_seconds === undefined ? {} : { lease_seconds: call.lease_seconds }),
    ...(call.reason === undefined ? {} : { reason_claimed: boundedText(call.reason, REASON_SHOWN_BYTES) }),
    display_hash,
    tool_digest,
    run: {
      managed: definition?.executor !== undefined,
      timeout_seconds: definition?.timeout_seconds ?? 60,
      use_within_seconds: definition?.use_within_seconds ?? 900,
    },
  };
}

/** What the template names is looked for before anything else, so that no size of the rest can push it out. */
function summaryOf(call: Call, definition: Tool | undefined, display: JsonValue): string {
  if (definition?.summary === undefined) return summarise(call.tool, display);
  const named = [...definition.summary.matchAll(/\{([^{}]+)\}/g)].map(([, path = '']) => (path.startsWith('/') ? path : `/${path.replaceAll('~', '~0').replaceAll('/', '~1')}`));
  const { critical = [], ...rules } = definition.display;
  return summariseWith(definition.summary, call.arguments, { ...rules, critical: [...named, ...critical] });
}
