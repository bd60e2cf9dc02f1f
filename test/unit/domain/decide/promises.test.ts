// The invariants that the domain alone can promise, over random histories: anybody does anything at any moment, while
// people, policy, tools and the vault change under it. Each promise is checked on the events, by rules written anew
// here, so that a fault in the fold cannot hide a fault in the decider.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BEFORE_FIRST, chainFault } from '../../../../lambdas/domain/chain.ts';
import type { Ruling } from '../../../../lambdas/domain/decide/ruling.ts';
import type { Outcome } from '../../../../lambdas/domain/decide/run-tool.ts';
import { decideByTime, dueAt, nextStep } from '../../../../lambdas/domain/decide/settle-operation.ts';
import { EVENT_TYPES, type BreakGlass, type EventOf, type EventType, type OperationEvent, type Requirement } from '../../../../lambdas/domain/events.ts';
import { fold } from '../../../../lambdas/domain/evolve.ts';
import { isClosed, type Status } from '../../../../lambdas/domain/operation.ts';
import { joinRequirements } from '../../../../lambdas/domain/requirements.ts';
import type { Tool } from '../../../../lambdas/domain/registry.ts';
import { plusSeconds, type Instant } from '../../../../lambdas/domain/times.ts';
import { abandon, appended, ARGUMENTS_HASH, askingWith, BREAK_GLASS, breakGlass, cancel, claim, COMPLETED, extend, FAILED, lapse, IDEMPOTENT, LOST, OPENED_AT, OTHER_HASH, propose, REFUND, report, REQUESTER, resultHash, reveal, REVEALING, review, reviewGlass, UNMANAGED, ALLOWING, ASKING, DENYING, vote, wait, type Command, type Directory, type Policy, type Story } from '../../../support/operation-builder.ts';

const RUNS = Number(process.env['FAST_CHECK_RUNS'] ?? 2000);
const FAR: Instant = '2099-01-01T00:00:00.000Z';

// What there is to do, and to whom.

const PEOPLE = ['user:ana', 'user:ben', 'user:fay', 'user:ian', 'user:olga', 'user:zoe', 'user:mallory', 'agent:billing-bot'] as const;
const APPROVERS = ['user:ana', 'user:ben', 'user:olga', 'group:finance', 'group:audit'] as const;
const MEMBERS = { 'group:finance': ['user:ana', 'user:ben', 'user:fay', 'user:zoe'], 'group:audit': ['user:ian', 'user:ana', 'user:olga'], 'group:oncall': ['user:fay', 'user:ian', 'user:zoe'] } as const;

/** What is true around the operation at a moment; some steps change it, and no rule may have kept the old. */
interface World {
  readonly now: Instant;
  readonly directory: Directory;
  readonly tool: Tool | undefined;
  readonly vault_hash: string | undefined;
  readonly lease_until: Instant | undefined;
  readonly policy_now: { readonly denies: boolean; readonly requirements: readonly Requirement[]; readonly break_glass?: BreakGlass };
}

type Act =
  | { readonly act: 'propose' }
  | { readonly act: 'vote'; readonly subject: string; readonly decision: 'approve' | 'deny'; readonly right: boolean; readonly kind: 'user' | 'agent' }
  | { readonly act: 'reveal'; readonly subject: string }
  | { readonly act: 'cancel'; readonly subject: string; readonly administrator: boolean }
  | { readonly act: 'claim'; readonly claim_id: string }
  | { readonly act: 'report'; readonly claim_id: string; readonly outcome: Outcome }
  | { readonly act: 'tighten'; readonly denies: boolean; readonly requirements: readonly Requirement[] }
  | { readonly act: 'extend'; readonly subject: string; readonly until: number }
  | { readonly act: 'break the glass'; readonly subject: string; readonly right: boolean }
  | { readonly act: 'review the glass'; readonly subject: string }
  | { readonly act: 'forbid the glass' }
  | { readonly act: 'go away'; readonly subject: string; readonly to: string | undefined }
  | { readonly act: 'renew'; readonly seconds: number }
  | { readonly act: 'lapse' }
  | { readonly act: 'review' }
  | { readonly act: 'wait' }
  | { readonly act: 'abandon' }
  | { readonly act: 'move'; readonly group: keyof typeof MEMBERS; readonly subject: string }
  | { readonly act: 'redefine'; readonly how: 'as it was' | 'version' | 'gone' | 'idempotent' }
  | { readonly act: 'vault'; readonly vault_hash: string | undefined };

const YES: Act = { act: 'vote', subject: 'user:ana', decision: 'approve', right: true, kind: 'user' };
const TAKE: Act = { act: 'claim', claim_id: 'claim-1' };
const ADDED: readonly Act[] = [{ act: 'tighten', denies: false, requirements: [{ approvers: ['user:ian'], quorum: 1 }] }];
const LOOSEN: Act = { act: 'tighten', denies: false, requirements: [] };
const BREAK: Act = { act: 'break the glass', subject: 'user:fay', right: true };
/** Reminders, more time to be had, and a glass to be broken. */
const IN_TIME: Policy = askingWith({ reminders: [{ fraction: 0.25 }, { after_seconds: 1800 }], extendable_to_seconds: 7200 }, { break_glass: BREAK_GLASS });
const LEAVE: Act = { act: 'move', group: 'group:finance', subject: 'user:ana' };

/** Time that goes by before an act: some seconds, a step back of another clock, or to the edge of what is due. */
type Delay = { readonly ms: number } | { readonly due: -1 | 0 | 1 };

interface Scenario {
  readonly tool: Tool;
  readonly lease_seconds: number | undefined;
  readonly policy: Policy;
  readonly agent_mode: 'autonomous' | 'monitored';
  readonly requirements: readonly Requirement[];
  readonly steps: readonly { readonly delay: Delay; readonly act: Act }[];
}

const approvers: fc.Arbitrary<string[]> = fc.oneof(fc.constant<string[]>(['group:finance']), fc.uniqueArray(fc.constantFrom<string[]>(...APPROVERS), { minLength: 1, maxLength: 3 }));
const quorum = fc.oneof({ weight: 4, arbitrary: fc.constant(1) }, { weight: 3, arbitrary: fc.constant(2) }, { weight: 1, arbitrary: fc.constant(3) });
const requirement = fc.record({ approvers, quorum });
const level = fc.record({ after_seconds: fc.constantFrom(600, 1800), approvers, quorum });
/** As an operation is opened with: a plain one as often as all the others. */
const asked = fc.oneof(
  requirement,
  fc.record(
    {
      approvers,
      quorum,
      min_per_group: fc.constant(1),
      veto: fc.constant(2),
      share_votes: fc.constant(true as const),
      separation_of_duties: fc.constant(false as const),
      escalation: fc.array(level, { minLength: 1, maxLength: 2 }),
    },
    { requiredKeys: ['approvers', 'quorum'] },
  ),
);
const somebody = fc.oneof({ weight: 3, arbitrary: fc.constantFrom('user:ana', 'user:ben', 'user:fay', 'user:ian') }, { weight: 1, arbitrary: fc.constantFrom(...PEOPLE) });
const claim_id = fc.oneof({ weight: 4, arbitrary: fc.constant('claim-1') }, fc.constantFrom('claim-2', 'claim-3'));
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Act>({ act: 'propose' }) },
  { weight: 12, arbitrary: fc.record({ act: fc.constant('vote' as const), subject: somebody, decision: usually<'approve' | 'deny'>('approve', 'deny', 6), right: usually(true, false, 14), kind: usually<'user' | 'agent'>('user', 'agent', 14) }) },
  { weight: 6, arbitrary: fc.record({ act: fc.constant('claim' as const), claim_id }) },
  { weight: 6, arbitrary: fc.record({ act: fc.constant('report' as const), claim_id, outcome: fc.constantFrom<Outcome[]>(COMPLETED, { ...COMPLETED, result_hash: resultHash('"again"') }, FAILED, LOST) }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('cancel' as const), subject: fc.constantFrom(...PEOPLE), administrator: usually(false, true, 5) }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('reveal' as const), subject: fc.constantFrom(...PEOPLE) }) },
  { weight: 3, arbitrary: fc.constant<Act>({ act: 'wait' }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('extend' as const), subject: somebody, until: fc.constantFrom(1800, 5400, 7200, 7201) }) },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('break the glass' as const), subject: usually('user:fay', 'user:ian', 1), right: usually(true, false, 14) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('break the glass' as const), subject: fc.constantFrom(...PEOPLE), right: fc.constant(true) }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('review the glass' as const), subject: fc.constantFrom('user:ana', 'user:ian', 'user:ben') }) },
  { weight: 1, arbitrary: fc.constant<Act>({ act: 'forbid the glass' }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('go away' as const), subject: somebody, to: fc.constantFrom<(string | undefined)[]>('user:ian', 'user:mallory', 'user:olga', undefined) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('renew' as const), seconds: fc.constantFrom(30, 600) }) },
  { weight: 2, arbitrary: fc.constant<Act>({ act: 'lapse' }) },
  { weight: 1, arbitrary: fc.constant<Act>({ act: 'abandon' }) },
  { weight: 2, arbitrary: fc.constant<Act>({ act: 'review' }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('tighten' as const), denies: usually(false, true, 4), requirements: fc.array(requirement, { maxLength: 2 }) }) },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('move' as const), group: fc.constantFrom('group:finance' as const, 'group:audit' as const, 'group:oncall' as const), subject: somebody }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('redefine' as const), how: fc.constantFrom('as it was' as const, 'version' as const, 'gone' as const, 'idempotent' as const) }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('vault' as const), vault_hash: fc.constantFrom(ARGUMENTS_HASH, OTHER_HASH, undefined) }) },
);
const delay: fc.Arbitrary<Delay> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ ms: fc.integer({ min: 0, max: 20_000 }) }) },
  { weight: 1, arbitrary: fc.record({ ms: fc.integer({ min: -3_000, max: 1_200_000 }) }) },
  { weight: 2, arbitrary: fc.record({ due: fc.constantFrom(-1 as const, 0 as const, 1 as const) }) },
);
const scenario: fc.Arbitrary<Scenario> = fc.record({
  tool: fc.oneof({ weight: 5, arbitrary: fc.constant(REFUND) }, { weight: 3, arbitrary: fc.constant(REVEALING) }, { weight: 4, arbitrary: fc.constant(IDEMPOTENT) }, { weight: 2, arbitrary: fc.constant(UNMANAGED) }),
  policy: fc.oneof({ weight: 6, arbitrary: fc.constant(ASKING) }, { weight: 8, arbitrary: fc.constant(IN_TIME) }, { weight: 2, arbitrary: fc.constant(ALLOWING) }, { weight: 1, arbitrary: fc.constant(DENYING) }),
  agent_mode: fc.constantFrom('autonomous' as const, 'monitored' as const),
  lease_seconds: usually<number | undefined>(undefined, 60, 5),
  requirements: fc.oneof({ weight: 5, arbitrary: fc.array(asked, { minLength: 1, maxLength: 1 }) }, { weight: 2, arbitrary: fc.array(asked, { minLength: 2, maxLength: 2 }) }).map(joinRequirements),
  // Many begin where it matters: with a vote, a grant that was taken, a voter who left, or what policy added for a while.
  steps: fc.tuple(fc.constantFrom<(readonly Act[])[]>([], [YES], [YES, TAKE], [YES, LEAVE], [...ADDED, YES, LOOSEN], [BREAK], [BREAK, { ...BREAK, subject: 'user:ian' }]), fc.array(fc.record({ delay, act }), { minLength: 3, maxLength: 18 })).map(([first, more]) => [...first.map((each) => ({ delay: { ms: 1000 }, act: each })), ...more]),
});

function usually<T>(often: T, seldom: T, weight: number): fc.Arbitrary<T> {
  return fc.oneof({ weight, arbitrary: fc.constant(often) }, { weight: 1, arbitrary: fc.constant(seldom) });
}

// Playing it.

function after(now: Instant, by: Delay, story: Story | undefined): Instant {
  if ('ms' in by) return plusSeconds(now, by.ms / 1000);
  return story === undefined || isClosed(story.operation) ? now : plusSeconds(dueAt(story.operation), by.due / 1000);
}

function changed(world: World, { act: what, ...how }: Act, tool: Tool): World {
  if (what === 'vault' && 'vault_hash' in how) return { ...world, vault_hash: how.vault_hash };
  if (what === 'move' && 'group' in how) {
    const members = world.directory[how.group] ?? [];
    const moved = members.includes(how.subject) ? members.filter((each) => each !== how.subject) : [...members, how.subject];
    return { ...world, directory: { ...world.directory, [how.group]: moved } };
  }
  if (what === 'redefine' && 'how' in how) {
    const now = { 'as it was': tool, version: { ...tool, version: '2' }, idempotent: { ...tool, idempotent: true }, gone: undefined };
    return { ...world, tool: now[how.how] };
  }
  if (what === 'tighten' && 'denies' in how) return { ...world, policy_now: { ...world.policy_now, denies: how.denies, requirements: how.requirements } };
  if (what === 'go away' && 'to' in how && 'subject' in how) return { ...world, directory: { ...world.directory, [`${how.subject} is away`]: how.to === undefined ? [] : [how.to] } };
  if (what === 'renew' && 'seconds' in how) return { ...world, lease_until: plusSeconds(world.now, how.seconds) };
  if (what === 'forbid the glass') return { ...world, policy_now: { denies: world.policy_now.denies, requirements: world.policy_now.requirements } };
  return world;
}

function commandOf(what: Act, world: World, { tool, policy, agent_mode, requirements, lease_seconds }: Scenario): Command | undefined {
  switch (what.act) {
    case 'propose':
      return propose({ tool, policy, agent_mode, ...(lease_seconds === undefined ? {} : { lease_seconds }), ...(policy === ASKING || policy === IN_TIME ? { requirements } : {}), directory: world.directory });
    case 'vote':
      return vote(what.subject, what.decision, { kind: what.kind, hash: what.right ? ARGUMENTS_HASH : OTHER_HASH, directory: world.directory, policy_now: world.policy_now, ...(world.lease_until === undefined ? {} : { lease_until: world.lease_until }) });
    case 'lapse':
      return lapse(world.lease_until);
    case 'reveal':
      return reveal(what.subject, { directory: world.directory, ...(world.tool === undefined ? { gone: true } : { tool: world.tool }) });
    case 'cancel':
      return cancel(what.subject, { administrator: what.administrator });
    case 'claim':
      return claim({ claim_id: what.claim_id, tool: world.tool, vault_hash: world.vault_hash, policy_denies: world.policy_now.denies });
    case 'report':
      return report(what.outcome, what.claim_id);
    case 'extend':
      return extend(what.subject, what.until, { directory: world.directory });
    case 'break the glass':
      return breakGlass(what.subject, { hash: what.right ? ARGUMENTS_HASH : OTHER_HASH, directory: world.directory, policy_now: world.policy_now });
    case 'review the glass':
      return reviewGlass(what.subject, { directory: world.directory });
    case 'wait':
      return wait();
    case 'abandon':
      return abandon('execution_stopped');
    case 'review':
      return review();
    case 'tighten':
    case 'forbid the glass':
    case 'go away':
    case 'renew':
    case 'move':
    case 'redefine':
    case 'vault':
      return undefined;
  }
}

const reached = { types: new Set<EventType>(), statuses: new Set<Status>(), refusals: new Set<string>() };

async function play(given: Scenario): Promise<void> {
  let world: World = { now: OPENED_AT, directory: MEMBERS, tool: given.tool, vault_hash: ARGUMENTS_HASH, lease_until: undefined, policy_now: { denies: false, requirements: [], break_glass: BREAK_GLASS } };
  let story: Story | undefined;
  const steps = [{ delay: { ms: 0 }, act: { act: 'propose' } as const }, ...given.steps];
  for (const { delay: by, act: what } of steps) {
    world = changed({ ...world, now: after(world.now, by, story) }, what, given.tool);
    const command = commandOf(what, world, given);
    if (command === undefined) continue;
    const before = freeze(story);
    const ruling = freeze(await command(before?.operation, world.now));
    expect(await command(before?.operation, world.now), 'a pure rule says the same twice').toEqual(ruling);
    checkRuling(ruling, before, what, world);
    if (ruling.kind !== 'append') continue;
    story = appended(before, ruling, world.now);
    checkStep(before, story, world, given.tool);
    checkLog(story);
  }
}

// The promises.

/** I-14: a refusal is a value and appends nothing; only an eligible person's wrong hash is recorded beside its no. */
function checkRuling(ruling: Ruling, before: Story | undefined, what: Act, { now, tool }: World): void {
  if (ruling.kind === 'refuse') {
    reached.refusals.add(ruling.refusal.code);
    expect(Object.keys(ruling).sort()).toEqual(['kind', 'refusal']);
  }
  if (ruling.kind === 'unchanged') expect(before).toBeDefined();
  // To a claim, 'unchanged' means: go on and run. Only the one that started may, or another of a tool that may be repeated.
  if (ruling.kind === 'unchanged' && what.act === 'claim') {
    const started = before?.sealed.find(({ event }) => event.type === 'tool.started')?.event;
    if (started?.type !== 'tool.started') return expect.fail('nothing was started');
    if (started.data.claim_id !== what.claim_id) expect(tool?.idempotent === true && now < started.data.run_deadline, 'nobody else runs it (I-2)').toBe(true);
  }
  if (ruling.kind === 'append' && ruling.refusal !== undefined) {
    reached.refusals.add(ruling.refusal.code);
    const late = ruling.event.type === 'approval.denied_late';
    const gone = ruling.event.type === 'approval.cancelled';
    if (gone) expect(ruling.event.data).toMatchObject({ reason: 'requester_gone' });
    else if (!late) expect(ruling.event).toMatchObject({ type: 'approval.denied', data: { reason: 'arguments_hash_mismatch' } });
    if (!gone) expect(what).toMatchObject(what.act === 'vote' ? { right: late, kind: 'user' } : { act: 'break the glass', right: false });
  }
}

const FOLLOWS: Readonly<Record<Status | 'nothing', Partial<Record<EventType, Status>>>> = {
  nothing: { 'approval.requested': 'pending', 'approval.auto_granted': 'granted', 'approval.refused': 'refused' },
  pending: {
    'approval.reminded': 'pending',
    'approval.escalated': 'pending',
    'approval.extended': 'pending',
    'approval.break_glass_asked': 'pending',
    'approval.break_glass': 'granted',
    'approval.denied_late': 'pending',
    'approval.arguments_revealed': 'pending',
    'approval.voted': 'pending',
    'approval.granted': 'granted',
    'approval.answered': 'answered',
    'approval.denied': 'denied',
    'approval.expired': 'expired',
    'approval.cancelled': 'cancelled',
  },
  granted: { 'tool.started': 'running', 'approval.cancelled': 'cancelled', 'approval.voided': 'voided' },
  running: { 'tool.completed': 'completed', 'tool.failed': 'failed', 'tool.outcome_unknown': 'unknown', 'tool.cancel_requested': 'running', 'tool.outcome_observed': 'unknown' },
  unknown: { 'tool.outcome_observed': 'unknown' },
  refused: {},
  answered: {},
  denied: {},
  expired: { 'approval.denied_late': 'expired' },
  cancelled: {},
  voided: {},
  completed: { 'tool.review_requested': 'completed' },
  failed: { 'tool.review_requested': 'failed' },
};

function checkStep(before: Story | undefined, story: Story, world: World, shown: Tool): void {
  const { event } = story.sealed.at(-1) ?? expect.fail();
  const from = before?.operation.status ?? 'nothing';
  reached.types.add(event.type);
  reached.statuses.add(story.operation.status);
  const follows = event.type === 'approval.break_glass_reviewed' ? from : event.type === 'approval.break_glass' && shown === UNMANAGED ? 'answered' : FOLLOWS[from][event.type];
  expect({ [event.type]: story.operation.status }, `what may follow ${from}`).toEqual({ [event.type]: follows });
  expect(chainFault(story.sealed.at(-1)?.text ?? '', before?.operation.tail ?? BEFORE_FIRST)).toBeUndefined();
  if (event.type === 'approval.granted' || event.type === 'approval.answered') checkGrant(event, story, world);
  if (event.type === 'approval.denied') checkDenial(event, story, world);
  if (event.type === 'approval.extended') checkExtension(event, story, world);
  if (event.type === 'approval.break_glass') checkGlass(event, story, world);
  if (event.type === 'approval.break_glass_reviewed') expect(world.directory['group:audit'], 'reviewed by the group that is named').toContain(event.data.actor.subject);
  if (event.type === 'tool.started') checkStart(event, story, world, shown);
}

const REQUESTERS: readonly (string | undefined)[] = [REQUESTER.subject, REQUESTER.owner, REQUESTER.on_behalf_of];
const TWO_HOURS = 7200;

/** Who a requirement asks at this moment; of its own people it asks nobody, unless it says so. */
function isAsked(subject: string, { approvers: of, separation_of_duties }: Pick<Requirement, 'approvers' | 'separation_of_duties'>, directory: Directory): boolean {
  if (separation_of_duties !== false && REQUESTERS.includes(subject)) return false;
  return of.some((reference) => reference === subject || (directory[reference] ?? []).includes(subject));
}

/** Asked, or in the place of somebody who is, and who is away. */
function mayAnswer(subject: string, requirement: Parameters<typeof isAsked>[1], directory: Directory): boolean {
  if (requirement.separation_of_duties !== false && REQUESTERS.includes(subject)) return false;
  return isAsked(subject, requirement, directory) || personsBehind(subject, directory).some((person) => isAsked(person, requirement, directory));
}

/** Whom somebody stands in for. */
function personsBehind(subject: string, directory: Directory): readonly string[] {
  return PEOPLE.filter((person) => directory[`${person} is away`]?.[0] === subject);
}

function openingOf({ sealed }: Story): EventOf<'approval.requested'> {
  const requested = sealed[0]?.event;
  return requested?.type === 'approval.requested' ? requested : expect.fail('it was never asked for');
}

/** What it asks as the log tells it: of the request, widened by time, joined by what stricter policies added. */
function requirementsOf({ sealed }: Story): readonly Requirement[] {
  return sealed.flatMap(({ event }) => ('requirements' in event.data && event.type !== 'approval.reminded' ? [event.data.requirements] : [])).at(-1) ?? [];
}

/** And by what policy asks at this moment. Of the same approvers the stricter one counts: only so are requirements one. */
function requiredNow(story: Story, { requirements: added }: World['policy_now']): readonly Requirement[] {
  const own = requirementsOf(story);
  const raised = own.map((each): Requirement => {
    const same = added.filter((other) => names(other) === names(each));
    const { approvers: of, quorum: least, min_per_group } = each;
    return same.length === 0 ? each : { approvers: of, quorum: Math.max(least, ...same.map(({ quorum: more }) => more)), ...(min_per_group === undefined ? {} : { min_per_group }) };
  });
  return [...raised, ...joinRequirements(added.filter((each) => !own.some((other) => names(other) === names(each))))];
}

function deadlineOf(story: Story): Instant {
  return story.sealed.flatMap(({ event }) => (event.type === 'approval.extended' ? [event.data.expires_at] : [])).at(-1) ?? openingOf(story).data.expires_at;
}

/** Whether each of the seats can be given to another of the people, each for somebody else who is asked, by trying. */
function canSeat(seats: readonly ((subject: string) => boolean)[], people: readonly string[], directory: Directory, taken: readonly string[] = []): boolean {
  const [first, ...others] = seats;
  if (first === undefined) return true;
  return people.some((subject, index) => [subject, ...personsBehind(subject, directory)].some((person) => !taken.includes(person) && first(person) && canSeat(others, people.toSpliced(index, 1), directory, [...taken, person])));
}

/** I-7 and I-8: for every approval that is needed another person, each asked now, each having said yes in time, none of the requester set. */
function checkGrant(event: EventOf<'approval.granted' | 'approval.answered'>, story: Story, { now, directory, policy_now, lease_until }: World): void {
  const said = story.sealed.flatMap(({ event: each }) => (each.type === 'approval.voted' ? [each.data.vote] : []));
  const { votes, actor } = event.data;
  const subjects = votes.flatMap(({ subject, decision }) => (decision === 'approve' ? [subject] : []));
  expect(now < deadlineOf(story), 'no grant at or after the deadline (I-8)').toBe(true);
  expect(policy_now.denies, 'no grant under a policy that denies (I-9)').toBe(false);
  const { lease_seconds } = openingOf(story).data;
  if (lease_seconds !== undefined) expect(now < (lease_until ?? plusSeconds(OPENED_AT, lease_seconds)), 'no yes for an agent that is gone (I-18)').toBe(true);
  expect(new Set(votes.map(({ subject }) => subject)).size, 'one person, one vote (I-7)').toBe(votes.length);
  expect(subjects).toContain(actor.subject);
  expect(actor.kind).toBe('user');
  const required = requiredNow(story, policy_now);
  for (const each of votes) {
    expect(required.some((one) => mayAnswer(each.subject, one, directory)), 'it names only people who are asked now (I-7)').toBe(true);
    expect(each.subject).toMatch(/^user:/);
    expect(each.voted_at < deadlineOf(story)).toBe(true);
    expect(each.subject === actor.subject ? each.voted_at === now : said.some((vote) => vote.subject === each.subject && vote.voted_at === each.voted_at)).toBe(true);
  }
  const seatsOf = (each: Requirement): ((subject: string) => boolean)[] => {
    const groups = each.approvers.filter((reference) => !reference.startsWith('user:')).flatMap((group) => Array.from({ length: each.min_per_group ?? 0 }, () => ({ ...each, approvers: [group] })));
    return [...groups, ...Array.from({ length: Math.max(0, each.quorum - groups.length) }, () => each)].map((seat) => (subject) => isAsked(subject, seat, directory));
  };
  const apart = required.filter(({ share_votes }) => share_votes === true);
  expect(canSeat(required.filter((each) => !apart.includes(each)).flatMap(seatsOf), subjects, directory), 'a vote counts once (I-7)').toBe(true);
  for (const each of apart) expect(canSeat(seatsOf(each), subjects, directory), 'every requirement is met (I-7)').toBe(true);
}

const names = ({ approvers: of }: Requirement): string => [...new Set(of)].sort().join();

/** One no is enough, unless the requirement wants more; a wrong hash and the no of one whose own it is always are. */
function checkDenial({ data }: EventOf<'approval.denied'>, story: Story, { directory, policy_now }: World): void {
  if (data.reason === 'arguments_hash_mismatch' || REQUESTERS.includes(data.vote.subject)) return;
  const noes = [...story.sealed.flatMap(({ event }) => (event.type === 'approval.voted' ? [event.data.vote] : [])), data.vote].filter(({ decision }) => decision === 'deny');
  const enough = requiredNow(story, policy_now).some((each) => noes.filter(({ subject }) => mayAnswer(subject, each, directory)).length >= (each.veto ?? 1));
  expect(enough, 'as many noes as it takes').toBe(true);
}

function checkExtension({ data, time }: EventOf<'approval.extended'>, { sealed }: Story, { now, directory }: World): void {
  const before = { sealed: sealed.slice(0, -1) } as unknown as Story;
  expect(now < deadlineOf(before), 'what is over is not extended').toBe(true);
  expect(data.expires_at > deadlineOf(before) && data.expires_at <= plusSeconds(openingOf(before).time, TWO_HOURS), 'longer, within what policy allows').toBe(true);
  expect(requirementsOf(before).some((each) => mayAnswer(data.actor.subject, each, directory)), 'by an approver').toBe(true);
  expect(time).toBe(now);
}

/** Two people of the group, close to each other, in time, under a policy that does not deny and still lets them. */
function checkGlass({ data }: EventOf<'approval.break_glass'>, story: Story, { now, directory, policy_now }: World): void {
  const people = [data.with, data.by];
  expect(new Set(people.map(({ subject }) => subject)).size).toBe(2);
  for (const { subject } of people) {
    expect(directory['group:oncall']).toContain(subject);
    expect(REQUESTERS).not.toContain(subject);
  }
  expect(now < plusSeconds(data.with.acted_at, BREAK_GLASS.within_seconds) && now < deadlineOf(story), 'in a short time').toBe(true);
  expect(policy_now).toMatchObject({ denies: false, break_glass: BREAK_GLASS });
  if (data.use_by !== undefined) expect(data.use_by <= plusSeconds(now, BREAK_GLASS.within_seconds)).toBe(true);
}

/** I-1, I-8, I-9: the start is in time, under a policy that does not deny, of the tool that was shown, for the bytes that were decided on. */
function checkStart(event: EventOf<'tool.started'>, { sealed }: Story, { now, tool, vault_hash, policy_now }: World, shown: Tool): void {
  const grant = sealed.find(({ event: each }) => each.type === 'approval.granted' || each.type === 'approval.auto_granted' || each.type === 'approval.break_glass')?.event;
  if (grant?.type !== 'approval.granted' && grant?.type !== 'approval.auto_granted' && grant?.type !== 'approval.break_glass') return expect.fail('a start needs a grant');
  expect(now < (grant.data.use_by ?? ''), 'no start at or after use_by (I-8)').toBe(true);
  expect(policy_now.denies, 'no start under a policy that denies (I-9)').toBe(false);
  expect(tool, 'no start of another tool than was shown').toEqual(shown);
  expect(vault_hash).toBe(event.data.operation.arguments_hash);
  expect(event.data.operation.arguments_hash).toBe(ARGUMENTS_HASH);
}

const DECISIONS: ReadonlySet<EventType> = new Set<EventType>(['approval.auto_granted', 'approval.refused', 'approval.granted', 'approval.answered', 'approval.denied', 'approval.expired', 'approval.break_glass']);

function checkLog({ operation, sealed }: Story): void {
  const events = sealed.map(({ event }) => event);
  const of = (...types: EventType[]): OperationEvent[] => events.filter(({ type }) => types.includes(type));
  expect(of('tool.started').length, 'at most one start (I-2)').toBeLessThanOrEqual(1);
  const voters = events.flatMap((each) => (each.type === 'approval.voted' ? [each.data.vote.subject] : []));
  expect(new Set(voters).size, 'one person, one vote (I-7)').toBe(voters.length);
  if (operation.status === 'pending') expect(operation.votes.map(({ subject }) => subject)).toEqual(voters);
  expect(events.filter(({ type }) => DECISIONS.has(type)).length, 'one decision (I-3)').toBeLessThanOrEqual(1);
  const moments = events.flatMap((each) => (each.type === 'approval.reminded' ? each.data.reminded : []));
  expect(new Set(moments).size, 'each moment reminds once').toBe(moments.length);
  for (const each of events) if (each.type === 'approval.reminded') expect(each.data.reminded.every((moment) => moment <= each.time)).toBe(true);
  for (const each of events) if (each.type === 'approval.escalated') expect(each.data.escalated.every(({ after_seconds }) => plusSeconds(OPENED_AT, after_seconds) <= each.time)).toBe(true);
  expect(of('approval.escalated').length, 'each level comes once').toBeLessThanOrEqual(2);
  expect(of('approval.break_glass_reviewed').length, 'looked at once').toBeLessThanOrEqual(1);
  expect(of('tool.completed', 'tool.failed', 'tool.outcome_unknown').length, 'one outcome').toBeLessThanOrEqual(1);
  expect(of('tool.review_requested').length, 'looked at once').toBeLessThanOrEqual(1);
  expect(of('approval.cancelled', 'approval.voided').length).toBeLessThanOrEqual(1);
  if (of('tool.cancel_requested').length > 0) expect(['running', 'unknown'], 'cancel beats a late success (I-4)').toContain(operation.status);
  if (of('approval.denied', 'approval.expired', 'approval.cancelled', 'approval.voided', 'approval.refused', 'approval.answered').length > 0) expect(of('tool.started'), 'a no runs nothing').toEqual([]);
  expect(fold(events), 'the log tells all of it').toEqual(operation);
  checkReachesTheEnd({ operation, sealed });
}

/** I-12: whatever is lost, time alone closes it, and the state machine is always told where to go on. */
function checkReachesTheEnd(story: Story): void {
  let last = story;
  for (let round = 0; round < 8 && !isClosed(last.operation); round += 1) {
    expect(nextStep(last.operation, FAR).next).not.toBe('done');
    const ruling = decideByTime(last.operation, FAR);
    if (ruling.kind !== 'append') return expect.fail('time must move what is open (I-12)');
    last = appended(last, ruling, FAR);
  }
  expect(isClosed(last.operation), 'time alone closes it (I-12)').toBe(true);
  expect(nextStep(last.operation, FAR).next).toBe('done');
  if (last.operation.status === 'completed') expect(story.operation.status, 'time completes nothing').toBe('completed');
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value) && !(value instanceof Map)) for (const each of Object.values(Object.freeze(value))) freeze(each);
  return value;
}

describe('whatever anybody does, in any order and at any time', () => {
  test('the promises of the domain hold over random histories', { timeout: Math.max(60_000, RUNS * 20) }, async () => {
    await fc.assert(fc.asyncProperty(scenario, play), { numRuns: RUNS });
  });

  test('and the histories were not idle: each event, status and refusal was met', () => {
    if (RUNS < 1000) return;
    expect([...reached.types].sort()).toEqual([...EVENT_TYPES].sort());
    expect([...reached.statuses].sort()).toEqual(Object.keys(FOLLOWS).filter((status) => status !== 'nothing').sort());
    expect([...reached.refusals].sort()).toEqual(['already_decided', 'arguments_changed', 'break_glass_not_allowed', 'extension_not_allowed', 'grant_already_claimed', 'invalid_request', 'not_an_administrator', 'not_an_approver', 'nothing_to_review', 'operation_expired', 'own_operation', 'policy_denied', 'reveal_not_allowed']);
  });
});
