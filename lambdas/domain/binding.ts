// Ties a decision to exactly one call: what was shown, what was hashed, who asked, under which policy.
// Every hash is over one canonical JSON object, never over joined fields, so no two bindings share bytes.

import { canonicalJson } from './json/canonical-json.ts';
import { sha256Digest } from './json/digest.ts';
import type { Sha256Digest } from './json/digest.ts';
import type { JsonValue } from './json/json-value.ts';

export interface BoundScope {
  readonly org_id: string;
  readonly workspace_id: string;
  readonly agent_id: string;
  readonly run_id?: string | undefined;
  readonly frame_id?: string | undefined;
}

export interface BoundRequester {
  readonly subject: string;
  readonly on_behalf_of?: string | undefined;
  readonly owner?: string | undefined;
}

export interface Binding {
  readonly operation_id: string;
  readonly scope: BoundScope;
  readonly tool: string;
  readonly tool_version: string;
  /** Of the tool's registered definition: a changed default voids what was approved before it. */
  readonly tool_digest: string;
  readonly arguments_hash: string;
  readonly display_hash: string;
  readonly policy_revision: string;
  readonly requester: BoundRequester;
}

/** @param canonicalArguments the RFC 8785 text that is stored and will be run, as it is. */
export function argumentsHash(canonicalArguments: string): Sha256Digest {
  return sha256Digest(canonicalArguments);
}

export function displayHash(display: JsonValue): Sha256Digest {
  return sha256Digest(canonicalJson(display));
}

/** Members are picked by name: nothing that a caller adds can slip into the hash, and nothing is left out. */
export function bindingHash(bound: Binding): Sha256Digest {
  const { operation_id, tool, tool_version, tool_digest, arguments_hash, display_hash, policy_revision } = bound;
  const { org_id, workspace_id, agent_id, run_id, frame_id } = bound.scope;
  const { subject, on_behalf_of, owner } = bound.requester;
  const scope = { org_id, workspace_id, agent_id, ...present({ run_id, frame_id }) };
  const requester = { subject, ...present({ on_behalf_of, owner }) };
  return sha256Digest(
    canonicalJson({ v: 1, operation_id, scope, tool, tool_version, tool_digest, arguments_hash, display_hash, policy_revision, requester }),
  );
}

function present(members: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(members).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}

/** The first ten hex digits as `xxxxx-xxxxx`: a hyphen survives mail, Slack and copying where a space may not. */
export function fingerprintOf(hash: string): string {
  const digits = hash.replace(/^[a-z0-9-]+:/, '');
  return `${digits.slice(0, 5)}-${digits.slice(5, 10)}`;
}
