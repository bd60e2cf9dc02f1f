// What every store of policies promises: the newest change of a scope is what the scope says, revisions have no gap,
// and of two that write on the same revision one wins.
import { expect } from 'vitest';
import type { Actor } from '../../lambdas/domain/caller.ts';
import { BEFORE_FIRST, chainFault } from '../../lambdas/domain/chain.ts';
import type { JsonObject } from '../../lambdas/domain/json/json-value.ts';
import { NO_POLICY, type PolicyScope } from '../../lambdas/domain/policy/policy-document.ts';
import type { PolicyEvent } from '../../lambdas/domain/policy/policy-log.ts';
import type { EventLog } from '../../lambdas/ports/event-log.ts';
import type { Policies, PolicyEditor } from '../../lambdas/ports/policies.ts';
import { registerContract, type Contract, type Opened } from '../support/port-contract.ts';
import { asks, denies } from '../support/port-registry.ts';
import { freshOperationId } from '../support/port-samples.ts';

export type PolicyStore = Policies & PolicyEditor & { readonly log: Pick<EventLog<PolicyEvent>, 'load'> };

const ROOT: Actor = { subject: 'user:root', kind: 'user', proof: 'jwt' };
const ASKS: JsonObject = { rules: [asks('refund_payment', ['user:ana'])] };
const DENIES: JsonObject = { rules: [denies('refund_payment')] };

/** A scope that no other clause writes to. */
function freshScope(kind = 'workspace'): PolicyScope {
  return `${kind}:${freshOperationId()}` as PolicyScope;
}

async function write(port: PolicyStore, scope: PolicyScope, document: JsonObject | null, revision: number): Promise<PolicyEvent> {
  const written = await port.change({ scope, document, actor: ROOT }, revision, 'request:contract');
  return written === 'conflict' ? expect.fail('the write conflicts') : written;
}

export const POLICIES_CONTRACT: Contract<PolicyStore> = [
  {
    promise: 'says revision 0 and nothing at all for a scope that nobody wrote to',
    holds: async (port) => {
      const scope = freshScope();
      expect(await port.current([scope])).toEqual([{ scope, revision: 0, document: NO_POLICY }]);
      expect(await port.newest(scope)).toBeUndefined();
    },
  },
  {
    promise: 'answers for each scope in the order asked, wherever the others stand',
    holds: async (port) => {
      const [org, workspace, agent] = [freshScope('org'), freshScope(), freshScope('agent')] as const;
      await write(port, agent, DENIES, 0);
      await write(port, org, ASKS, 0);
      const current = await port.current([org, workspace, agent, org]);
      expect(current.map(({ scope, revision }) => [scope, revision])).toEqual([[org, 1], [workspace, 0], [agent, 1], [org, 1]]);
      expect(current.map(({ document }) => document.rules.map(({ effect }) => effect))).toEqual([['ask'], [], ['deny'], ['ask']]);
    },
  },
  {
    promise: 'counts revisions from 1 without a gap, says the newest, and tells who wrote what in its event',
    holds: async (port) => {
      const scope = freshScope();
      await write(port, scope, ASKS, 0);
      const second = await write(port, scope, DENIES, 1);
      expect(second).toMatchObject({ type: 'policy.changed', subject: `policy#${scope}`, data: { policy_scope: scope, revision: 2, sequence: 2, actor: ROOT, document: DENIES, causation_id: 'request:contract' } });
      expect(await port.newest(scope)).toEqual(second);
      const [current] = await port.current([scope]);
      expect(current).toMatchObject({ revision: 2, document: { rules: [{ effect: 'deny' }] } });
      const log = await port.log.load(`policy#${scope}`);
      expect(log.map(({ event }) => event.data.revision)).toEqual([1, 2]);
      expect(log.map(({ relayed }) => relayed)).toEqual([false, false]);
    },
  },
  {
    promise: 'chains the changes of a scope, so that one taken out or altered shows',
    holds: async (port) => {
      const scope = freshScope();
      for (const [revision, document] of [ASKS, DENIES, null].entries()) await write(port, scope, document, revision);
      let tail = BEFORE_FIRST;
      for (const { event, text } of await port.log.load(`policy#${scope}`)) {
        expect(chainFault(text, tail)).toBeUndefined();
        tail = { sequence: event.data.sequence, hash: event.data.hash };
      }
      expect(tail.sequence).toBe(3);
    },
  },
  {
    promise: 'keeps the document as it was written, defaults not filled in, and fills them in for those who judge',
    holds: async (port) => {
      const scope = freshScope();
      const document = { rules: [{ id: 'r', target: 'tool:x', effect: 'ask', approvers: ['user:ana'] }] };
      await write(port, scope, document, 0);
      expect((await port.newest(scope))?.data.document).toEqual(document);
      const [current] = await port.current([scope]);
      expect(current?.document.rules).toEqual([{ ...document.rules[0], quorum: 1 }]);
    },
  },
  {
    promise: 'refuses a write on any revision but the newest, and changes nothing then',
    holds: async (port) => {
      const scope = freshScope();
      for (const revision of [1, 2]) expect(await port.change({ scope, document: DENIES, actor: ROOT }, revision, 'c')).toBe('conflict');
      const first = await write(port, scope, ASKS, 0);
      for (const revision of [0, 2, 99]) expect(await port.change({ scope, document: DENIES, actor: ROOT }, revision, 'c')).toBe('conflict');
      expect(await port.newest(scope)).toEqual(first);
    },
  },
  {
    promise: 'lets one of two win that write on the same revision at once, and of ten that create a scope',
    holds: async (port) => {
      const scope = freshScope();
      const writeAtOnce = async (writers: number, revision: number): Promise<readonly PolicyEvent[]> => {
        const documents = Array.from({ length: writers }, (_, index) => ({ rules: [asks(`tool_${index}`, ['user:ana'])] }));
        const written = await Promise.all(documents.map((document) => port.change({ scope, document, actor: ROOT }, revision, 'c')));
        return written.filter((event) => event !== 'conflict');
      };
      const created = await writeAtOnce(10, 0);
      expect(created).toHaveLength(1);
      expect(await port.newest(scope)).toEqual(created[0]);
      const changed = await writeAtOnce(2, 1);
      expect(changed).toHaveLength(1);
      expect(await port.newest(scope)).toEqual(changed[0]);
      expect(await port.log.load(`policy#${scope}`)).toHaveLength(2);
    },
  },
  {
    promise: 'says nothing for a scope whose document was deleted, and goes on counting from there',
    holds: async (port) => {
      const scope = freshScope('agent');
      await write(port, scope, DENIES, 0);
      await write(port, scope, null, 1);
      expect(await port.current([scope])).toEqual([{ scope, revision: 2, document: NO_POLICY }]);
      expect((await port.newest(scope))?.data).toMatchObject({ revision: 2, document: null });
      await write(port, scope, ASKS, 2);
      expect((await port.current([scope]))[0]).toMatchObject({ revision: 3, document: { rules: [{ effect: 'ask' }] } });
    },
  },
  {
    promise: 'keeps scopes apart whose names look alike',
    holds: async (port) => {
      const id = freshOperationId();
      const alike: readonly PolicyScope[] = [`org:${id}`, `workspace:${id}`, `agent:${id}`, `workspace:${id}0`, `workspace:${id.toUpperCase()}`];
      await write(port, `workspace:${id}`, DENIES, 0);
      expect((await port.current(alike)).map(({ revision }) => revision)).toEqual([0, 1, 0, 0, 0]);
    },
  },
  {
    promise: 'judges by no document that it cannot read any more: that is a corrupt record, not an empty policy',
    holds: async (port) => {
      const scope = freshScope();
      await write(port, scope, { rules: [], a_field_of_tomorrow: true }, 0);
      await expect(port.current([scope])).rejects.toMatchObject({ name: 'CorruptRecord' });
      await write(port, scope, { agent_mode: 'strict' }, 1);
      await expect(port.current([freshScope(), scope])).rejects.toMatchObject({ name: 'CorruptRecord' });
    },
  },
];

export function policiesContract(implementation: string, open: () => Promise<Opened<PolicyStore>>): void {
  registerContract(POLICIES_CONTRACT, implementation, open);
}
