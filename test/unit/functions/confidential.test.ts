// Tools marked confidential: whatever is published of their calls must not let anybody try guessable arguments offline.
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { argumentsHash } from '../../../lambdas/domain/binding.ts';
import type { KeyedDigest } from '../../../lambdas/domain/hash-forms.ts';
import { canonicalJson } from '../../../lambdas/domain/json/canonical-json.ts';
import { sha256Hex } from '../../../lambdas/domain/json/digest.ts';
import type { RegistryInput } from '../../../lambdas/domain/registry.ts';
import { Fault } from '../../../lambdas/domain/faults.ts';
import { corridor } from '../../support/in-memory-corridor.ts';
import { inMemoryPorts, type Ports } from '../../support/in-memory-ports.ts';
import { asks, REGISTRY_INPUT, testPolicies, testRegistry } from '../../support/port-registry.ts';

type ToolInput = RegistryInput['tools'][number];

const SET_PIN: ToolInput = {
  name: 'set_card_pin',
  version: '1',
  consequence: 'change',
  executor: { function: 'set_card_pin' },
  display: { always_hidden: ['/pin'] },
  summary: 'Set the PIN of card {card_id}',
  confidential: true,
};

const PIN = '4821';
const call = (pin: string) => ({ card_id: 'k-7', pin });
const plainOf = (pin: string) => argumentsHash(canonicalJson(call(pin)));
const KEYED = /^hmac-sha256:[0-9a-f]{64}$/;

function portsWith(change: Partial<ToolInput> = {}): Ports {
  return inMemoryPorts(testRegistry({ tools: [...REGISTRY_INPUT.tools, { ...SET_PIN, ...change }] }), testPolicies([asks('set_card_pin', ['user:ana', 'user:ben'])]));
}

/** The whole way of one call; the tool repeats the PIN in what it returns, as careless tools do. Answers all that leaves the vault. */
async function published(pin: string, ports: Ports): Promise<readonly string[]> {
  const { http, propose, vote, eventsOf, quiet } = corridor({ ports });
  ports.invoker.behaving('set_card_pin', () => ({ kind: 'completed', output: call(pin) }));
  const proposed = await propose('set_card_pin', call(pin), { call_id: 'c-1', reason: 'new card' });
  const { operation_id } = proposed.body;
  const seen: unknown[] = [proposed.body];
  await quiet();
  const look = async (): Promise<void> => {
    for (const route of ['GET /api/operations/{id}', 'GET /api/operations/{id}/events', 'GET /api/inbox', 'GET /api/operations/{id}/full']) {
      seen.push((await http({ route, as: 'user:ana', id: operation_id })).body);
    }
  };
  await look();
  seen.push((await vote(proposed.body, 'user:ana', 'approve', { view: 'full' })).body);
  await quiet();
  await look();
  seen.push(await eventsOf(operation_id), ports.bus.taken.map(({ text }) => text), ports.starter.starts, ports.log.lines);
  return seen.map((each) => JSON.stringify(each));
}

describe('a four-digit PIN (failure 098)', () => {
  test('is found in no published digest by trying all ten thousand', async () => {
    const everything = (await published(PIN, portsWith())).join('\n');
    const digests = new Set(everything.match(/[0-9a-f]{64}/g));
    expect(digests.size).toBeGreaterThan(6);
    const found: string[] = [];
    for (let number = 0; number < 10_000; number += 1) {
      const pin = String(number).padStart(4, '0');
      const guesses = [canonicalJson(call(pin)), JSON.stringify(call(pin)), pin, canonicalJson({ pin })];
      if (guesses.some((guess) => digests.has(sha256Hex(guess)))) found.push(pin);
    }
    expect(found).toEqual([]);
    expect(everything).not.toMatch(new RegExp(`(?:"|&quot;)${PIN}`));
  });

  test('changes nothing that is published but the keyed hashes: with those held still, all of it is the same for every PIN', async () => {
    const held = (pin: string): Promise<readonly string[]> => {
      const ports = portsWith();
      let asked = 0;
      const keyedHash = async (): Promise<KeyedDigest> => `hmac-sha256:${String((asked += 1)).padStart(64, '0')}`;
      return published(pin, { ...ports, keyedHashes: { asked: [], keyedHash } });
    };
    expect(await held('0000')).toEqual(await held(PIN));
  });

  test('would be found if the tool were not confidential: the test sees what it looks for', async () => {
    const everything = (await published(PIN, portsWith({ confidential: false }))).join('\n');
    expect(everything).toContain(plainOf(PIN));
  });
});

describe('a confidential call', () => {
  test('shows the HMAC of its digest under our key, in every event, reply and input', async () => {
    const ports = portsWith();
    const { propose, vote, eventsOf, quiet } = corridor({ ports });
    const { body } = await propose('set_card_pin', call(PIN));
    const expected = `hmac-sha256:${createHmac('sha256', Buffer.alloc(32, 9)).update(Buffer.from(plainOf(PIN).slice(7), 'hex')).digest('hex')}`;
    expect(body.arguments_hash).toBe(expected);
    await vote(body, 'user:ana');
    await quiet();
    const events = await eventsOf(body.operation_id);
    expect(events.map(({ type }) => type)).toEqual(['approval.requested', 'approval.granted', 'tool.started', 'tool.completed']);
    for (const { data } of events) expect(data.operation.arguments_hash).toBe(expected);
    expect(ports.starter.starts[0]?.arguments_hash).toBe(expected);
    expect(events.at(-1)?.data).toMatchObject({ result_hash: expect.stringMatching(KEYED) });
  });

  test('hands the tool the plain digest, over the bytes that it gets', async () => {
    const ports = portsWith();
    const { propose, vote, quiet } = corridor({ ports });
    const { body } = await propose('set_card_pin', call(PIN));
    await vote(body, 'user:ana');
    await quiet();
    expect(ports.invoker.ledger).toHaveLength(1);
    expect(ports.invoker.ledger[0]).toMatchObject({ arguments_hash: plainOf(PIN), arguments: canonicalJson(call(PIN)) });
  });

  test('proposed again under its call_id is the same operation; with another PIN it is refused', async () => {
    const { propose } = corridor({ ports: portsWith() });
    const first = await propose('set_card_pin', call(PIN), { call_id: 'c-1' });
    const again = await propose('set_card_pin', call(PIN), { call_id: 'c-1' });
    expect(again.body).toMatchObject({ operation_id: first.body.operation_id, arguments_hash: first.body.arguments_hash });
    expect((await propose('set_card_pin', call('0000'), { call_id: 'c-1' })).body.code).toBe('operation_id_reused');
  });

  test.each([
    ['another keyed hash', `hmac-sha256:${'0'.repeat(64)}`],
    ['the plain digest, which nobody was shown', plainOf(PIN)],
  ])('ends as denied when it is approved under %s', async (_what, arguments_hash) => {
    const { propose, http, operationOf } = corridor({ ports: portsWith() });
    const { body } = await propose('set_card_pin', call(PIN));
    const reply = await http({ route: 'POST /api/operations/{id}/decisions', as: 'user:ana', id: body.operation_id, body: { arguments_hash, decision: 'approve' } });
    expect(reply.body.code).toBe('arguments_changed');
    expect((await operationOf(body.operation_id)).status).toBe('denied');
  });

  test('is voided when the vault holds other bytes at the claim', async () => {
    const ports = portsWith();
    const { propose, vote, quiet, operationOf } = corridor({ ports });
    const { body } = await propose('set_card_pin', call(PIN));
    await quiet();
    ports.vault.tamperArguments(body.operation_id, canonicalJson(call('0000')));
    await vote(body, 'user:ana');
    await quiet();
    expect(await operationOf(body.operation_id)).toMatchObject({ status: 'voided', decision: { reason: 'arguments_changed' } });
    expect(ports.invoker.ledger).toEqual([]);
  });

  test('is not opened while no keyed hash can be made, and is once it can', async () => {
    const ports = portsWith();
    const down = corridor({ ports: { ...ports, keyedHashes: { asked: [], keyedHash: async () => Promise.reject(new Fault('Unavailable', 'KMS is throttled')) } } });
    expect((await down.propose('set_card_pin', call(PIN), { call_id: 'c-1' })).status).toBe(503);
    const { body, status } = await corridor({ ports }).propose('set_card_pin', call(PIN), { call_id: 'c-1' });
    expect(status).toBe(202);
    expect(body.arguments_hash).toMatch(KEYED);
    expect(ports.vault.argumentsKept().size).toBe(1);
  });

  test('costs other tools nothing: their hashes are plain and the key is not asked', async () => {
    const ports = portsWith();
    const { propose, vote, quiet } = corridor({ ports });
    const { body } = await propose('refund_payment', { amount: 1 });
    expect(body.arguments_hash).toBe(argumentsHash(canonicalJson({ amount: 1 })));
    await vote(body, 'user:ana');
    await quiet();
    expect(ports.keyedHashes.asked).toEqual([]);
  });
});

test('marking a tool confidential is another definition of it: what was opened before is voided, not run', async () => {
  const ports = portsWith({ confidential: false });
  const { propose, vote, quiet, operationOf } = corridor({ ports });
  const { body } = await propose('set_card_pin', call(PIN));
  await quiet();
  await ports.registry.replace(testRegistry({ tools: [...REGISTRY_INPUT.tools, SET_PIN] }));
  await vote(body, 'user:ana');
  await quiet();
  expect(await operationOf(body.operation_id)).toMatchObject({ status: 'voided', decision: { reason: 'tool_changed' } });
});
