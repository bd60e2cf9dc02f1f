import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { argumentsHash } from '../../../lambdas/domain/binding.ts';
import { BEFORE_FIRST, chainFault, seal, type SealedEvent, type Tail } from '../../../lambdas/domain/chain.ts';
import { canonicalJson } from '../../../lambdas/domain/json/canonical-json.ts';
import { sha256Digest } from '../../../lambdas/domain/json/digest.ts';
import type { JsonObject, JsonValue } from '../../../lambdas/domain/json/json-value.ts';
import { tailOf } from '../../../lambdas/domain/operation.ts';
import { HISTORY_NAMES, history } from '../../support/domain-histories.ts';
import { approve, at, claim, instant, OPERATION_ID, propose, SCOPE, tell } from '../../support/operation-builder.ts';

const { sealed } = await history('unknown after a late result');
const texts = sealed.map(({ text }) => text);
const stories = await Promise.all(HISTORY_NAMES.map(history));

/** What the whole log is found to be, read as it is loaded. */
function firstFault(stored: readonly string[]): string | undefined {
  let tail: Tail = BEFORE_FIRST;
  for (const text of stored) {
    const fault = chainFault(text, tail);
    if (fault !== undefined) return fault;
    const { sequence, hash } = (JSON.parse(text) as { data: Tail }).data;
    tail = { sequence, hash };
  }
  return undefined;
}

/** A forger with our code: changes an event and gives it a hash that fits. */
function forged(text: string, change: (data: Record<string, JsonValue>) => void): string {
  const event = JSON.parse(text) as JsonObject & { data: JsonObject };
  const data = without(event.data, 'hash');
  change(data);
  const unsealed: JsonObject = { ...event, data };
  return canonicalJson({ ...unsealed, data: { ...data, hash: sha256Digest(canonicalJson(unsealed)) } });
}

describe('a sealed event', () => {
  const all = stories.flatMap((story) => story.sealed);

  test('verifies in its place, in every history', () => {
    for (const story of stories) expect(firstFault(story.sealed.map(({ text }) => text))).toBeUndefined();
  });

  test('is stored as its canonical text, and as nothing else', () => {
    for (const { event, text } of all) {
      expect(JSON.parse(text)).toEqual(event);
      expect(text).toBe(canonicalJson(JSON.parse(text) as JsonObject));
    }
  });

  test('carries the hash of the one before it, and the digest of all of itself but that digest', () => {
    sealed.forEach(({ event, text }, index) => {
      const { hash, ...data } = event.data;
      expect(data.previous_hash).toBe(sealed[index - 1]?.event.data.hash ?? '');
      expect(hash).toBe(sha256Digest(canonicalJson({ ...(JSON.parse(text) as JsonObject), data: JSON.parse(JSON.stringify(data)) as JsonObject })));
      expect(data.sequence).toBe(index + 1);
    });
  });

  test('leaves out what is absent, and stores no null for it', () => {
    // Whoever reviews a broken glass must say something.
    const wordless = stories.flatMap((story, index) => (HISTORY_NAMES[index]?.includes('glass reviewed') === true ? [] : story.sealed));
    for (const { text } of all) expect(text).not.toMatch(/null|undefined/);
    for (const member of ['call_id', 'reason_claimed', 'comment', 'run_id', 'frame_id']) expect(wordless.some(({ text }) => text.includes(`"${member}"`))).toBe(false);
  });

  test('keeps a null that was shown', async () => {
    const { sealed: shown } = await tell([at(0, propose({ arguments: { note: null } }))]);

    expect(shown[0]?.text).toContain('"arguments":{"note":null}');
  });

  test('is the same for the same draft, whatever the order of its members', () => {
    const [first] = sealed;
    const { scope, causation_id } = first!.event.data;
    const data = without(first!.event.data, 'scope', 'sequence', 'causation_id', 'previous_hash', 'hash');
    const circumstance = { operation_id: OPERATION_ID, scope, time: instant(0), causation_id };
    const backwards = Object.fromEntries(Object.entries(data).reverse());

    expect(seal({ type: first!.event.type, data: backwards } as Parameters<typeof seal>[0], BEFORE_FIRST, circumstance).text).toBe(first!.text);
  });

  test('is refused when it is not of the catalogue, before anything is stored', () => {
    const draft = { type: 'approval.forgotten', data: {} } as unknown as Parameters<typeof seal>[0];

    expect(() => seal(draft, BEFORE_FIRST, { operation_id: OPERATION_ID, scope: SCOPE, time: instant(0), causation_id: 'x' })).toThrow();
  });

  test('stores no member that the catalogue does not know', () => {
    const { scope, causation_id } = sealed[0]!.event.data;
    const data = without(sealed[0]!.event.data, 'scope', 'sequence', 'causation_id', 'previous_hash', 'hash');
    const draft = { type: sealed[0]!.event.type, data: { ...data, task_token: 'AQB-secret' } } as unknown as Parameters<typeof seal>[0];
    const stored = ((): SealedEvent | undefined => {
      try {
        return seal(draft, BEFORE_FIRST, { operation_id: OPERATION_ID, scope, time: instant(0), causation_id });
      } catch {
        return undefined;
      }
    })();

    expect(stored?.text ?? '').not.toContain('AQB-secret');
  });
});

describe('the chain shows', () => {
  test('one changed byte, wherever it is', () => {
    const bytes = texts.map((text) => Buffer.from(text));
    bytes.forEach((original, index) => {
      for (let position = 0; position < original.length; position += 1) {
        const changed = Buffer.from(original);
        changed[position] = original[position]! ^ 1;
        const found = faultOf(() => firstFault(texts.map((text, each) => (each === index ? changed.toString() : text))));
        expect(found, `byte ${position} of event ${index + 1}`).toBeTruthy();
      }
    });
  });

  test('one changed bit, wherever it is', () => {
    fc.assert(
      fc.property(fc.nat(texts.length - 1), fc.nat(), fc.nat(7), (index, place, bit) => {
        const changed = Buffer.from(texts[index]!);
        changed[place % changed.length]! ^= 1 << bit;
        expect(faultOf(() => firstFault(texts.with(index, changed.toString('latin1'))))).toBeTruthy();
      }),
      { numRuns: 500 },
    );
  });

  test.each(texts.slice(0, -1).map((_, index) => index))('the event that was removed from place %d', (index) => {
    expect(firstFault(texts.toSpliced(index, 1))).toBe(index === 0 ? 'event 2 follows event 0' : `event ${index + 2} follows event ${index}`);
  });

  test('two events that were swapped', () => {
    for (let index = 0; index + 1 < texts.length; index += 1) {
      expect(firstFault(texts.with(index, texts[index + 1]!).with(index + 1, texts[index]!))).toBe(`event ${index + 2} follows event ${index}`);
    }
  });

  test('an event that stands twice', () => {
    expect(firstFault(texts.toSpliced(1, 0, texts[0]!))).toBe('event 1 follows event 1');
  });

  test('an event of another operation in its place', async () => {
    const hash = argumentsHash('{"customer_id":"c-43"}');
    const others = await tell([at(0, propose({ arguments: { customer_id: 'c-43' } })), at(60, approve('user:ana', { hash })), at(70, claim({ vault_hash: hash }))]);

    for (const [index, { text }] of others.sealed.entries()) {
      const mixed = texts.with(index, text);
      expect(firstFault(mixed)).toBe(`event ${index === 0 ? 2 : index + 1} does not name the hash of the event before it`);
    }
  });

  test('a forged event, at the event after it', () => {
    const grant = forged(texts[1]!, (data) => (data['use_by'] = instant(99_999)));

    expect(chainFault(grant, tailOf(sealed[0]!.event))).toBeUndefined();
    expect(firstFault(texts.with(1, grant))).toBe('event 3 does not name the hash of the event before it');
  });

  test('a forged tail: the next event of the log does not fit it', () => {
    const tail = tailOf(sealed[1]!.event);

    expect(chainFault(texts[2]!, tail)).toBeUndefined();
    expect(chainFault(texts[2]!, { ...tail, hash: sha256Digest('forged') })).toBe('event 3 does not name the hash of the event before it');
    expect(chainFault(texts[2]!, { ...tail, hash: '' })).toBe('event 3 does not name the hash of the event before it');
    expect(chainFault(texts[2]!, { ...tail, sequence: 7 })).toBe('event 3 follows event 7');
    expect(chainFault(texts[2]!, BEFORE_FIRST)).toBe('event 3 follows event 0');
  });

  test('an event whose hash is missing, of another algorithm or of another spelling', () => {
    const { hash } = sealed[0]!.event.data;
    for (const other of ['', hash.toUpperCase(), hash.slice(7), `sha1:${hash.slice(7)}`]) {
      expect(chainFault(texts[0]!.replace(hash, other), BEFORE_FIRST)).toBe('event 1 does not have the hash that it carries');
    }
    expect(chainFault(texts[0]!.replace(`"hash":"${hash}",`, ''), BEFORE_FIRST)).toBe('event 1 does not have the hash that it carries');
  });

  test.each([
    ['white space was added', texts[0]!.replace('{', '{ ')],
    ['a member stands twice', texts[0]!.replace('"source":"countersign"', '"source":"elsewhere","source":"countersign"')],
    ['a letter is escaped', texts[0]!.replace('"source"', '"\\u0073ource"')],
  ])('that a text is not the canonical one: %s', (_, text) => {
    expect(text).not.toBe(texts[0]);
    expect(chainFault(text, BEFORE_FIRST)).toBeDefined();
  });

  test.each([['{'], ['null'], ['[]'], ['7'], ['{}'], ['']])('that a text is no event: %j', (text) => {
    expect(chainFault(text, BEFORE_FIRST)).toBeDefined();
  });
});

function without(data: object, ...members: readonly string[]): Record<string, JsonValue> {
  return Object.fromEntries(Object.entries(data as JsonObject).filter(([member]) => !members.includes(member)));
}

/** What is found, or thrown: both stop the reader. */
function faultOf(read: () => string | undefined): string | undefined {
  try {
    return read();
  } catch (thrown) {
    return String(thrown);
  }
}
