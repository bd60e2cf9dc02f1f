// What every directory promises: an entry is its newest event, an identity leads to one live entry, and membership is what
// the groups say at this moment.
import { expect } from 'vitest';
import { kindOf } from '../../lambdas/domain/directory/entries.ts';
import type { DirectoryStore } from '../support/in-memory-directory.ts';
import { group, person, program, ROOT, write, writeAll } from '../support/directory-samples.ts';
import { registerContract, type Contract, type Opened } from '../support/port-contract.ts';

let worlds = 0;

/** Names that no other clause has used: a store keeps its entries for the whole of its contract. */
function fresh(): (name: string) => string {
  worlds += 1;
  const world = worlds;
  return (name) => `${name}-${world}`;
}

const oidc = (subject: string): string => `oidc:https://issuer.example#${subject}`;

export const DIRECTORY_CONTRACT: Contract<DirectoryStore> = [
  {
    promise: 'holds what was written last, counts revisions from 1, and knows who wrote it',
    holds: async (port) => {
      const n = fresh();
      const ana = `user:${n('ana')}`;
      expect(await port.standing(ana)).toEqual({ revision: 0, entry: undefined, entry_by: undefined, stand_in: undefined });
      expect(await port.newest(ana)).toBeUndefined();
      expect(await write(port, ana, person(n('ana')))).toMatchObject({ kind: 'changed', event: { subject: `directory#${ana}`, data: { revision: 1, entry: person(n('ana')), actor: ROOT, entry_by: 'user:root' } } });
      await write(port, ana, person(n('ana'), { administrator: true }));
      expect(await port.standing(ana)).toMatchObject({ revision: 2, entry: { kind: 'user', administrator: true } });
      await write(port, ana, null);
      expect(await port.standing(ana)).toMatchObject({ revision: 3, entry: undefined });
      expect((await port.newest(ana))?.data).toMatchObject({ revision: 3, entry: null });
    },
  },
  {
    promise: 'refuses a write on any revision but the newest, and changes nothing then',
    holds: async (port) => {
      const n = fresh();
      const ana = `user:${n('ana')}`;
      await writeAll(port, { [ana]: person(n('ana')) });
      for (const revision of [0, 2, 7]) expect(await port.change({ subject: ana, entry: null, entry_by: 'x', actor: ROOT }, revision, 'test:x')).toEqual({ kind: 'conflict' });
      expect(await port.callerOf(oidc(n('ana')))).toMatchObject({ kind: 'person' });
    },
  },
  {
    promise: 'lets one of ten win that write on the same revision at once',
    holds: async (port) => {
      const n = fresh();
      const subject = `group:${n('g')}`;
      const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => port.change({ subject, entry: group(`user:${index}`), entry_by: 'x', actor: ROOT }, 0, 'test:x')));
      expect(answers.filter(({ kind }) => kind === 'changed')).toHaveLength(1);
      expect(await port.standing(subject)).toMatchObject({ revision: 1 });
    },
  },
  {
    promise: 'knows a caller by each identity that a channel has verified, exactly, and nobody by a name',
    holds: async (port) => {
      const n = fresh();
      const identities = { oidc: [{ issuer: 'https://issuer.example', subject: n('ana') }], email: [`${n('Ana')}@Example.com`], slack: [{ team: `T${worlds}`, user: 'U1' }] };
      await writeAll(port, { [`user:${n('ana')}`]: { identities }, [`agent:${n('bot')}`]: program(n('bot'), `user:${n('ana')}`) });
      expect(await port.callerOf(oidc(n('ana')))).toEqual({ kind: 'person', person: { subject: `user:${n('ana')}`, administrator: false }, groups: [] });
      expect(await port.callerOf(`iam:arn:aws:iam::123456789012:role/${n('bot')}`)).toEqual({ kind: 'program', program: { subject: `agent:${n('bot')}`, ...program(n('bot'), `user:${n('ana')}`), may_act_for: [] } });
      for (const proof of [`email:${n('ana')}@example.com`, `slack:T${worlds}/U1`]) expect(await port.callerOf(proof), proof).toMatchObject({ person: { subject: `user:${n('ana')}` } });
      for (const nobody of ['', `user:${n('ana')}`, `subject:user:${n('ana')}`, `email:${n('Ana')}@Example.com`, oidc(n('Ana')), oidc(n('ana')).toUpperCase(), `${oidc(n('ana'))}x`, `oidc:https://elsewhere.example#${n('ana')}`]) expect(await port.callerOf(nobody), nobody).toBeUndefined();
    },
  },
  {
    promise: 'gives an identity to one live entry, and to the next once it was given up or its entry is gone',
    holds: async (port) => {
      const n = fresh();
      const [ana, ben, eve] = [`user:${n('ana')}`, `user:${n('ben')}`, `user:${n('eve')}`] as const;
      await writeAll(port, { [ana]: person(n('it')) });
      expect(await write(port, ben, person(n('it')))).toEqual({ kind: 'taken', identity: oidc(n('it')), by: ana });
      expect(await port.standing(ben)).toMatchObject({ revision: 0 });
      await writeAll(port, { [ana]: person(n('other')), [ben]: person(n('it')) });
      expect(await port.callerOf(oidc(n('it')))).toMatchObject({ person: { subject: ben } });
      expect(await port.callerOf(oidc(n('other')))).toMatchObject({ person: { subject: ana } });
      await writeAll(port, { [ben]: null, [eve]: person(n('it')) });
      expect(await port.callerOf(oidc(n('it')))).toMatchObject({ person: { subject: eve } });
    },
  },
  {
    promise: 'takes subjects that differ in case only for one, and addresses after their normalisation (134)',
    holds: async (port) => {
      const n = fresh();
      const mail = (address: string) => ({ identities: { email: [address] } });
      await writeAll(port, { [`user:${n('ana')}`]: mail(`${n('ana.b')}@example.com`), [`group:${n('leads')}`]: group() });
      expect(await write(port, `user:${n('Ana')}`, person(n('x')))).toMatchObject({ kind: 'taken', by: `user:${n('ana')}` });
      expect(await write(port, `group:${n('LEADS')}`, group())).toMatchObject({ kind: 'taken', by: `group:${n('leads')}` });
      expect(await write(port, `user:${n('ben')}`, mail(` ${n('Ana.B')}@Example.COM `))).toMatchObject({ kind: 'taken', identity: `email:${n('ana.b')}@example.com` });
      for (const other of [`${n('ana.b')}+x@example.com`, `${n('ana.b')}@example.com.`, `${n('ana.b')}@exampl\u0131.com`]) expect((await write(port, `user:${n('ben')}`, mail(other))).kind, other).toBe('changed');
    },
  },
  {
    promise: 'finds the groups and relations that somebody is in, through others too, as they are now (136)',
    holds: async (port) => {
      const n = fresh();
      const ana = `user:${n('ana')}`;
      const [leads, all, core] = [`group:${n('leads')}`, `group:${n('all')}`, `team:${n('core')}#lead`] as const;
      await writeAll(port, { [ana]: person(n('ana')), [leads]: group(ana), [all]: group(leads, core), [core]: group(ana) });
      const groups = async () => {
        const caller = await port.callerOf(oidc(n('ana')));
        return caller?.kind === 'person' ? caller.groups : undefined;
      };
      expect(await groups()).toEqual([all, leads, core]);
      await writeAll(port, { [core]: group() });
      expect(await groups()).toEqual([all, leads]);
      await writeAll(port, { [leads]: null });
      expect(await groups()).toEqual([]);
      await writeAll(port, { [all]: group(ana) });
      expect(await groups()).toEqual([all]);
    },
  },
  {
    promise: 'says of an approver reference whether it is a person or holds others, one step deep, and nothing of the rest (127)',
    holds: async (port) => {
      const n = fresh();
      const ana = `user:${n('ana')}`;
      const stand_in = { to: 'user:ben', from: '2026-11-02T09:00:00.000Z', until: '2026-11-03T09:00:00.000Z' };
      await writeAll(port, { [ana]: person(n('ana')), [`agent:${n('bot')}`]: program(n('bot'), ana), [`group:${n('g')}`]: { members: [ana, `agent:${n('bot')}`], from_claim: true }, [`team:${n('t')}#lead`]: group(`group:${n('g')}`) });
      expect(await port.approverEntry(ana)).toEqual({ kind: 'person', revision: 1 });
      await write(port, ana, person(n('ana')), { stand_in });
      expect(await port.approverEntry(ana)).toEqual({ kind: 'person', revision: 2, stand_in });
      expect(await port.approverEntry(`group:${n('g')}`)).toEqual({ kind: 'group', revision: 1, members: [ana, `agent:${n('bot')}`], from_claim: true });
      expect(await port.approverEntry(`team:${n('t')}#lead`)).toEqual({ kind: 'group', revision: 1, members: [`group:${n('g')}`], from_claim: false });
      await writeAll(port, { [`group:${n('g')}`]: null });
      for (const nobody of [`agent:${n('bot')}`, `group:${n('g')}`, `user:${n('ghost')}`, n('ana'), '', `user:${n('ana')} `]) expect(await port.approverEntry(nobody), nobody).toBeUndefined();
    },
  },
  {
    promise: 'resolves a reference to live people, through groups, and to nobody where it leads back to itself (137)',
    holds: async (port) => {
      const n = fresh();
      const [ana, ben, bot] = [`user:${n('ana')}`, `user:${n('ben')}`, `agent:${n('bot')}`] as const;
      const [one, two] = [`group:${n('one')}`, `group:${n('two')}`] as const;
      await writeAll(port, { [ana]: person(n('ana')), [ben]: person(n('ben')), [bot]: program(n('bot'), ana), [one]: group(ana, bot, two), [two]: group(ben, 'user:ghost') });
      expect(await port.peopleBehind(one)).toEqual({ people: [ana, ben], from_claim: false });
      expect(await port.peopleBehind(ana)).toEqual({ people: [ana], from_claim: false });
      for (const nobody of [bot, 'user:ghost', 'group:ghost', n('ana'), '']) expect(await port.peopleBehind(nobody), nobody).toEqual({ people: [], from_claim: false });
      await writeAll(port, { [two]: group(ben, one) });
      expect(await port.peopleBehind(one)).toEqual({ people: [], from_claim: false });
    },
  },
  {
    promise: 'takes of the names in a token only those of groups that say so, and follows them as it follows members',
    holds: async (port) => {
      const n = fresh();
      const [open, closed, all] = [`group:${n('open')}`, `group:${n('closed')}`, `group:${n('all')}`] as const;
      const groupsNamed = async (...names: readonly string[]) => (port.groupClaims ?? expect.fail('no claim is configured')).groupsNamed(names);
      expect(port.groupClaims).toMatchObject({ claim: 'groups', max_age_seconds: 3600 });
      await writeAll(port, { [open]: { members: [], from_claim: true }, [closed]: group(), [all]: group(open), [`team:${n('open')}#lead`]: group() });
      expect(await groupsNamed(n('open'), n('closed'), n('Open'), open, 'ghost', `team:${n('open')}#lead`)).toEqual({ claimed: [open], around: [all] });
      expect(await groupsNamed(n('closed'))).toEqual({ claimed: [], around: [] });
      expect(await port.peopleBehind(all)).toEqual({ people: [], from_claim: true });
      await writeAll(port, { [open]: group() });
      expect(await groupsNamed(n('open'))).toEqual({ claimed: [], around: [] });
    },
  },
  {
    promise: 'knows where an agent may act: wherever some program may speak for it, as the programs are now',
    holds: async (port) => {
      const n = fresh();
      const agent_ids = [n('shared'), n('own')];
      await writeAll(port, { [`agent:${n('a')}`]: program(n('a'), 'user:x', { agent_ids, workspaces: ['w2', 'w1'] }), [`service:${n('b')}`]: program(n('b'), 'user:x', { agent_ids: [n('shared')], workspaces: ['w1', 'w3'] }) });
      expect([...(await port.workspacesOfAgent(n('shared')))].sort()).toEqual(['w1', 'w2', 'w3']);
      expect(await port.workspacesOfAgent(n('own'))).toEqual(['w2', 'w1']);
      expect(await port.workspacesOfAgent(n('nobody'))).toEqual([]);
      expect(await port.agentIds()).toEqual(expect.arrayContaining(agent_ids));
      await writeAll(port, { [`agent:${n('a')}`]: null });
      expect(await port.workspacesOfAgent(n('shared'))).toEqual(['w1', 'w3']);
      const left = await port.agentIds();
      expect([left.includes(n('shared')), left.includes(n('own')), [...left].sort()]).toEqual([true, false, left]);
    },
  },
  {
    promise: 'lists live entries of one kind by subject, page by page',
    holds: async (port) => {
      const n = fresh();
      const mine = ['a', 'b', 'c', 'd', 'e'].map((name) => `zone:${n(name)}#owner`);
      for (const subject of mine.toReversed()) await writeAll(port, { [subject]: group() });
      await writeAll(port, { [mine[2] ?? '']: null });
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await port.list('relation', { limit: 2, ...(cursor === undefined ? {} : { cursor }) });
        expect(page.entries.length).toBeLessThanOrEqual(2);
        for (const { subject, entry } of page.entries) expect([kindOf(subject), entry?.kind]).toEqual(['relation', 'relation']);
        seen.push(...page.entries.map(({ subject }) => subject));
        cursor = page.cursor;
      } while (cursor !== undefined);
      expect(seen).toEqual([...seen].sort());
      expect(seen.filter((subject) => mine.includes(subject))).toEqual(mine.filter((_, index) => index !== 2));
    },
  },
  {
    promise: 'knows who has named somebody as stand-in, until the name is withdrawn',
    holds: async (port) => {
      const n = fresh();
      const [ana, ben] = [`user:${n('ana')}`, `user:${n('ben')}`] as const;
      const stand_in = { to: ben, from: '2026-11-02T09:00:00.000Z', until: '2026-11-03T09:00:00.000Z' };
      await writeAll(port, { [ana]: person(n('ana')), [ben]: person(n('ben')) });
      await write(port, ana, person(n('ana')), { stand_in });
      expect(await port.standInsTo(ben)).toMatchObject([{ subject: ana, stand_in }]);
      await write(port, ana, person(n('ana')));
      expect(await port.standInsTo(ben)).toEqual([]);
    },
  },
  {
    promise: 'says in whose place somebody decides at a moment, with the groups around that person',
    holds: async (port) => {
      const n = fresh();
      const [ana, ben, inner, outer] = [`user:${n('ana')}`, `user:${n('ben')}`, `group:${n('inner')}`, `group:${n('outer')}`] as const;
      const stand_in = { to: ben, from: '2026-11-02T09:00:00.000Z', until: '2026-11-03T09:00:00.000Z' };
      await writeAll(port, { [ana]: person(n('ana')), [ben]: person(n('ben')), [inner]: { members: [ana] }, [outer]: { members: [inner] } });
      await write(port, ana, person(n('ana')), { stand_in });
      const at = async (now: string): Promise<readonly unknown[]> => port.standsInFor(ben, now);
      const place = [{ subject: ana, groups: [inner, outer].sort() }];
      expect([await at('2026-11-02T08:59:59.999Z'), await at(stand_in.from), await at('2026-11-03T08:59:59.999Z'), await at(stand_in.until)]).toEqual([[], place, place, []]);
      expect(await port.standsInFor(ana, stand_in.from)).toEqual([]);
    },
  },
  {
    promise: 'lets an administrator go only where another one stays who can sign in',
    holds: async (port) => {
      const n = fresh();
      const before = (await port.list('user', { limit: 1000 })).entries.filter(({ entry }) => entry?.kind === 'user' && entry.administrator);
      for (const { subject } of before) await write(port, subject, null);
      const [ana, ben] = [`user:${n('ana')}`, `user:${n('ben')}`] as const;
      await writeAll(port, { [ana]: person(n('ana'), { administrator: true }), [ben]: { administrator: true } });
      expect(await port.mayLeaveAdministration(ana)).toBe(false);
      await writeAll(port, { [ben]: person(n('ben'), { administrator: true }) });
      expect(await port.mayLeaveAdministration(ana)).toBe(true);
    },
  },
];

export function directoryContract(implementation: string, open: () => Promise<Opened<DirectoryStore>>): void {
  registerContract(DIRECTORY_CONTRACT, implementation, open);
}
