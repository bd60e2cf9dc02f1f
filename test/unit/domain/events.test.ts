import { describe, expect, test } from 'vitest';
import { EVENT_TYPES, eventSchema } from '../../../lambdas/domain/events.ts';
import { HISTORY_NAMES, history } from '../../support/domain-histories.ts';
import { OPERATION_ID } from '../../support/operation-builder.ts';

const stories = await Promise.all(HISTORY_NAMES.map(history));
const events = stories.flatMap(({ sealed }) => sealed.map(({ event }) => event));
const samples = [...new Map(events.map((event) => [event.type, event])).values()];
const refuses = (value: unknown): void => expect(eventSchema.safeParse(value).success).toBe(false);

test.each(samples)('$type is a CloudEvent of ours', (event) => {
  expect(event).toMatchObject({
    specversion: '1.0',
    source: 'countersign',
    id: `${OPERATION_ID}/${event.data.sequence}`,
    subject: OPERATION_ID,
    datacontenttype: 'application/json',
    dataschema: `urn:countersign:event:${event.type}:1`,
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    data: { causation_id: 'request:test', operation: { id: OPERATION_ID } },
  });
  expect(eventSchema.parse(event)).toEqual(event);
});

test('the life of a run repeats ids and hashes, and nothing that is shown (DESIGN 6)', () => {
  const runs = events.filter(({ type }) => type.startsWith('tool.'));

  expect(runs.length).toBeGreaterThan(5);
  for (const { data } of runs) {
    expect(Object.keys(data.operation).sort()).toEqual(['arguments_hash', 'binding_hash', 'id']);
    expect(data).not.toHaveProperty('redaction');
  }
});

test('every approval repeats what people were shown', () => {
  const [first, ...later] = events.filter(({ type }) => type.startsWith('approval.'));

  for (const { data } of later.filter(({ data: { operation } }) => 'tool' in operation && operation.tool === 'refund_payment')) {
    expect(Object.keys(data.operation)).toEqual(Object.keys(first!.data.operation));
  }
});

describe('a type that is not in the catalogue is refused, and never taken for one that is (163)', () => {
  const [sample] = samples;
  test.each(['approval.escalated', 'approval.Requested', 'approval.requested ', 'tool.reconciled', 'tool', '', '__proto__', 'constructor'])('%j', (type) => {
    refuses({ ...sample, type });
  });
  test.each([[undefined], [null], [7], [['approval.requested']]])('%j', (type) => {
    refuses({ ...sample, type });
  });
  test('each type that is known is known once', () => {
    expect(new Set(EVENT_TYPES).size).toBe(EVENT_TYPES.length);
    expect([...EVENT_TYPES].sort()).toEqual(samples.map(({ type }) => type).sort());
  });
});

describe('a stored event is refused', () => {
  const requested = samples.find(({ type }) => type === 'approval.requested') ?? expect.fail();
  const data = (more: object): object => ({ ...requested, data: { ...requested.data, ...more } });
  const cases: readonly [string, unknown][] = [
    ['from another source', { ...requested, source: 'elsewhere' }],
    ['of another CloudEvents version', { ...requested, specversion: '0.3' }],
    ['with a time of another zone', { ...requested, time: '2026-12-01T10:00:00.000+01:00' }],
    ['with a time without milliseconds, which would not sort', { ...requested, time: '2026-12-01T09:00:00Z' }],
    ['with a time that no calendar has', { ...requested, time: '2026-02-30T09:00:00.000Z' }],
    ['with a deadline that is no time', data({ expires_at: 'tomorrow' })],
    ['without its deadline', data({ expires_at: undefined })],
    ['at place 0', data({ sequence: 0 })],
    ['between two places', data({ sequence: 1.5 })],
    ['with a hash of another kind', data({ hash: 'md5:00' })],
    ['with a hash in upper case', data({ hash: requested.data.hash.toUpperCase() })],
    ['without the hash before it', data({ previous_hash: undefined })],
    ['without its scope', data({ scope: undefined })],
    ['without what is shown', data({ operation: { ...requested.data.operation, arguments: undefined } })],
    ['with a plain number for a hash', data({ operation: { ...requested.data.operation, arguments_hash: 7 } })],
    ['that is text', JSON.stringify(requested)],
    ['that is nothing', undefined],
  ];
  test.each(cases)('%s', (_, value) => refuses(value));

  test.each(samples)('$type with a reason, a vote or an actor of another shape', (event) => {
    for (const key of ['actor', 'vote', 'votes', 'reason', 'use_by', 'claim_id', 'run_deadline', 'result_hash', 'observed'] as const) {
      if (key in event.data) refuses({ ...event, data: { ...event.data, [key]: 7 } });
    }
    if ('actor' in event.data) refuses({ ...event, data: { ...event.data, actor: { ...event.data.actor, kind: 'root' } } });
  });
});
