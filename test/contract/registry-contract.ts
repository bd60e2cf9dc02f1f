// What every registry promises: it answers from the document of this moment, a replaced document leaves no row of its
// own, and a call key belongs to whoever claimed it first, whatever happens to the document.
import { expect } from 'vitest';
import { toolDigest } from '../../lambdas/domain/registry.ts';
import { plusSeconds } from '../../lambdas/domain/times.ts';
import type { Registry } from '../support/in-memory-registry.ts';
import { START_OF_TEST } from '../support/in-memory-system.ts';
import { registerContract, type Contract, type Opened } from '../support/port-contract.ts';
import { testRegistry, withoutTool, withTool } from '../support/port-registry.ts';
import { freshOperationId } from '../support/port-samples.ts';

const KEEP = plusSeconds(START_OF_TEST, 24 * 3600);
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
      // Workspaces, organisations, tools.
      expect(first.rows).toBe(2 + 2 + 7);
      expect(await port.replace(testRegistry())).toEqual({ rows: first.rows, removed: 0 });
    },
  },
  {
    promise: 'knows a tool by its exact name only, and lists all of them by name',
    holds: async (port) => {
      const document = testRegistry();
      await port.replace(document);
      expect(await port.tool('refund_payment')).toEqual(document.tools[0]);
      for (const unknown of ['Refund_Payment', 'refund_payment ', ' refund_payment', 'x/refund_payment', '', '__proto__', '*']) expect(await port.tool(unknown), unknown).toBeUndefined();
      expect((await port.tools()).map(({ name }) => name)).toEqual(document.tools.map(({ name }) => name).sort());
      expect(await port.tools()).toContainEqual(document.tools[0]);
    },
  },
  {
    promise: 'returns a definition whose digest is the digest of what was stored',
    holds: async (port) => {
      const document = testRegistry();
      await port.replace(document);
      for (const stored of document.tools) expect(toolDigest((await port.tool(stored.name)) ?? expect.fail('no such tool'))).toBe(toolDigest(stored));
    },
  },
  {
    promise: 'resolves workspaces, and to nothing where there is none',
    holds: async (port) => {
      await port.replace(testRegistry());
      expect(await port.organisationOf('w1')).toBe('acme');
      expect(await port.organisationOf('w2')).toBeUndefined();
      expect(await port.workspacesOf('acme')).toEqual(['w1']);
      expect(await port.workspacesOf('nowhere')).toEqual([]);
    },
  },
  {
    promise: 'tells the facts of a workspace as they were written, and nothing of one that is not there',
    holds: async (port) => {
      const w1 = { id: 'w1', org_id: 'acme', sandbox: { path: '/workspaces/w1' }, network_access: true, search_backend: 's', browser_backend: 'b' };
      await port.replace(testRegistry({ workspaces: [w1, { id: 'w9', org_id: 'other' }] }));
      expect(await port.workspace('w1')).toEqual(w1);
      expect(await port.workspace('w9')).toEqual({ id: 'w9', org_id: 'other', network_access: false });
      for (const unknown of ['W1', 'w2', '', '__proto__']) expect(await port.workspace(unknown), unknown).toBeUndefined();
      await port.replace(testRegistry());
      expect(await port.workspace('w1')).toEqual({ id: 'w1', org_id: 'acme', network_access: false });
    },
  },
  {
    promise: 'knows the scopes around a scope, widest first: every workspace that an agent may be in, and their organisations',
    holds: async (port) => {
      const [bot, other] = [testRegistry().programs[0] ?? expect.fail('no program'), testRegistry().programs[1] ?? expect.fail('no program')];
      const workspaces = [...testRegistry().workspaces, { id: 'w2', org_id: 'acme' }];
      // Two programs may speak for one agent: what is around it is around both.
      await port.replace(testRegistry({ workspaces, programs: [{ ...bot, workspaces: ['w1', 'w2'] }, { ...other, agent_ids: ['other-bot', 'billing-bot'] }] }));
      expect(await port.widerScopes('org:acme')).toEqual([]);
      expect(await port.widerScopes('workspace:w2')).toEqual(['org:acme']);
      expect(await port.widerScopes('agent:other-bot')).toEqual(['org:other', 'workspace:w9']);
      const around = await port.widerScopes('agent:billing-bot');
      expect([...around].sort()).toEqual(['org:acme', 'org:other', 'workspace:w1', 'workspace:w2', 'workspace:w9']);
      expect(around.slice(0, 2).every((scope) => scope.startsWith('org:'))).toBe(true);
      for (const unknown of ['workspace:w7', 'agent:nobody', 'agent:__proto__'] as const) expect(await port.widerScopes(unknown), unknown).toEqual([]);
    },
  },
  {
    promise: 'lists the scopes of the document once each, organisations before workspaces before agents, and leaves out what cannot be a scope; and every workspace, whatever its name',
    holds: async (port) => {
      const [bot] = testRegistry().programs;
      const workspaces = [...testRegistry().workspaces, { id: 'a workspace', org_id: 'acme' }, { id: 'a2', org_id: 'acme' }];
      await port.replace(testRegistry({ workspaces, programs: [{ ...(bot ?? expect.fail('no program')), agent_ids: ['z', 'billing-bot'] }] }));
      expect(await port.workspaceIds()).toEqual(['a workspace', 'a2', 'w1', 'w9']);
      expect(await port.policyScopes()).toEqual(['org:acme', 'org:other', 'workspace:a2', 'workspace:w1', 'workspace:w9', 'agent:billing-bot', 'agent:z']);
      await port.replace(testRegistry());
      expect(await port.policyScopes()).toEqual(['org:acme', 'org:other', 'workspace:w1', 'workspace:w9', 'agent:billing-bot', 'agent:other-bot']);
    },
  },
  {
    promise: 'removes what an earlier document left, and answers from the new one at once',
    holds: async (port) => {
      await port.replace(testRegistry());
      const smaller = testRegistry({ programs: testRegistry().programs.slice(0, 1) });
      // The agent of a program that is gone stands nowhere any more.
      expect((await port.replace(smaller)).removed).toBe(0);
      expect(await port.widerScopes('agent:other-bot')).toEqual([]);
      expect((await port.replace(withoutTool('drop_table'))).removed).toBe(1);
      expect(await port.tool('drop_table')).toBeUndefined();
      expect((await port.tools()).map(({ name }) => name)).not.toContain('drop_table');
      expect(await port.widerScopes('agent:other-bot')).toEqual(['org:other', 'workspace:w9']);
    },
  },
  {
    promise: 'answers from the definition of this moment',
    holds: async (port) => {
      await port.replace(testRegistry());
      await port.replace(withTool('refund_payment', { consequence: 'observation' }));
      expect(await port.tool('refund_payment')).toMatchObject({ consequence: 'observation' });
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
