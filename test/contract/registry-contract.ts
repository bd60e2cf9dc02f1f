// What every registry promises: it answers from the document of this moment, a replaced document leaves no row of its
// own, and a call key belongs to whoever claimed it first, whatever happens to the document.
import { expect } from 'vitest';
import { registryRevision, toolDigest } from '../../lambdas/domain/registry.ts';
import { plusSeconds } from '../../lambdas/domain/times.ts';
import type { Registry } from '../support/in-memory-registry.ts';
import { START_OF_TEST } from '../support/in-memory-system.ts';
import { registerContract, type Contract, type Opened } from '../support/port-contract.ts';
import { ACCOUNT, ISSUER, testRegistry, withFinance, withoutTool, withTool } from '../support/port-registry.ts';
import { freshOperationId } from '../support/port-samples.ts';

const KEEP = plusSeconds(START_OF_TEST, 24 * 3600);
const BOT = `iam:arn:aws:iam::${ACCOUNT}:role/billing-bot`;
let keys = 0;

function freshKey(): string {
  keys += 1;
  return keys.toString(16).padStart(64, '0');
}

function call(arguments_hash = 'sha256:00') {
  return { operation_id: freshOperationId(), tool: 'refund_payment', arguments_hash };
}

export const REGISTRY_CONTRACT: Contract<Registry> = [
  {
    promise: 'counts the rows of a document, and takes away none that it keeps',
    holds: async (port) => {
      const first = await port.replace(testRegistry());
      expect(first.rows).toBe(2 + 1 + 7 + 2 + 5);
      expect(await port.replace(testRegistry())).toEqual({ rows: first.rows, removed: 0 });
    },
  },
  {
    promise: 'knows a caller by its exact principal only',
    holds: async (port) => {
      const document = testRegistry();
      await port.replace(document);
      expect(await port.callerOf(BOT)).toEqual({ kind: 'program', program: document.programs[0] });
      expect(await port.callerOf(`oidc:${ISSUER}#ana`)).toEqual({ kind: 'person', person: document.people[0], groups: ['group:finance'] });
      expect(await port.callerOf(`oidc:${ISSUER}#olga`)).toMatchObject({ kind: 'person', groups: [] });
      for (const nobody of ['', `${BOT}/x`, BOT.toUpperCase(), `oidc:${ISSUER}#Ana`, `oidc:https://elsewhere.example#ana`, 'iam:*']) expect(await port.callerOf(nobody), nobody).toBeUndefined();
    },
  },
  {
    promise: 'knows a tool by its exact name only, with the revision of its document',
    holds: async (port) => {
      const document = testRegistry();
      await port.replace(document);
      const { tool, policy_revision } = await port.tool('refund_payment');
      expect(tool).toEqual(document.tools[0]);
      expect(policy_revision).toBe(registryRevision(document));
      for (const unknown of ['Refund_Payment', 'refund_payment ', '', '__proto__', '*']) expect((await port.tool(unknown)).tool, unknown).toBeUndefined();
    },
  },
  {
    promise: 'returns a definition whose digest is the digest of what was stored',
    holds: async (port) => {
      const document = testRegistry();
      await port.replace(document);
      for (const stored of document.tools) expect(toolDigest((await port.tool(stored.name)).tool ?? stored)).toBe(toolDigest(stored));
    },
  },
  {
    promise: 'resolves groups and workspaces, and to nothing where there is none',
    holds: async (port) => {
      await port.replace(testRegistry());
      expect(await port.membersOf('group:finance')).toEqual(['user:ana', 'user:ben', 'user:zoe']);
      expect(await port.membersOf('group:nobody')).toEqual([]);
      expect(await port.organisationOf('w1')).toBe('acme');
      expect(await port.organisationOf('w2')).toBeUndefined();
    },
  },
  {
    promise: 'removes what an earlier document left, and answers from the new one at once',
    holds: async (port) => {
      await port.replace(testRegistry());
      const { programs, people } = testRegistry();
      const smaller = testRegistry({ programs: programs.slice(0, 1), people: people.filter(({ subject }) => subject !== 'user:root') });
      expect((await port.replace(smaller)).removed).toBe(2);
      expect(await port.callerOf(`oidc:${ISSUER}#root`)).toBeUndefined();
      expect(await port.callerOf(`iam:arn:aws:iam::${ACCOUNT}:role/other-bot`)).toBeUndefined();
      expect((await port.replace(withoutTool('drop_table'))).removed).toBe(1);
      expect((await port.tool('drop_table')).tool).toBeUndefined();
      expect(await port.callerOf(`oidc:${ISSUER}#root`)).toMatchObject({ kind: 'person' });
    },
  },
  {
    promise: 'answers from the definition and the group of this moment',
    holds: async (port) => {
      await port.replace(testRegistry());
      const before = await port.tool('refund_payment');
      await port.replace(withTool('refund_payment', { policy: { effect: 'deny' } }));
      const after = await port.tool('refund_payment');
      expect(after.tool?.policy.effect).toBe('deny');
      expect(after.policy_revision).not.toBe(before.policy_revision);
      await port.replace(withFinance(['user:ben']));
      expect(await port.membersOf('group:finance')).toEqual(['user:ben']);
      expect(await port.callerOf(`oidc:${ISSUER}#ana`)).toMatchObject({ groups: [] });
    },
  },
  {
    promise: 'gives a call key to whoever claims it first and tells everybody else who that is',
    holds: async (port) => {
      const key = freshKey();
      const [mine, theirs] = [call(), call('sha256:11')];
      expect(await port.claimCall(key, mine, KEEP)).toEqual(mine);
      expect(await port.claimCall(key, theirs, KEEP)).toEqual(mine);
      expect(await port.claimCall(key, mine, KEEP)).toEqual(mine);
      expect(await port.claimCall(freshKey(), theirs, KEEP)).toEqual(theirs);
    },
  },
  {
    promise: 'gives a key that ten claim together to one of them, and tells all ten the same',
    holds: async (port) => {
      const key = freshKey();
      const claims = Array.from({ length: 10 }, () => call());
      const answers = await Promise.all(claims.map((each) => port.claimCall(key, each, KEEP)));
      expect(new Set(answers.map(({ operation_id }) => operation_id)).size).toBe(1);
      expect(claims).toContainEqual(answers[0]);
    },
  },
  {
    promise: 'keeps call keys through every change of the document',
    holds: async (port) => {
      const key = freshKey();
      const mine = call();
      await port.replace(testRegistry());
      await port.claimCall(key, mine, KEEP);
      await port.replace(withoutTool('refund_payment'));
      await port.replace(testRegistry());
      expect(await port.claimCall(key, call(), KEEP)).toEqual(mine);
    },
  },
  {
    promise: 'keeps a call key that is there, however long ago its clean-up was due',
    holds: async (port) => {
      const key = freshKey();
      const mine = call();
      await port.claimCall(key, mine, '2001-01-01T00:00:00.000Z');
      expect(await port.claimCall(key, call(), KEEP)).toEqual(mine);
    },
  },
];

export function registryContract(implementation: string, open: () => Promise<Opened<Registry>>): void {
  registerContract(REGISTRY_CONTRACT, implementation, open);
}
