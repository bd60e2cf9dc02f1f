// Where text may be cut, against a slow reading that lists every unit first; and how many bytes text takes in JSON.
import { describe, expect, it } from 'vitest';
import { cutPoint, cutText, joinEnds, jsonBytes } from '../../../../lambdas/domain/display/cut-text.ts';
import { bytesCutMark, collectionMark, isMark, lineBreaksMark, longestMark, marksIn, moreMark, spacesMark } from '../../../../lambdas/domain/display/marks.ts';

describe('bytes in JSON', () => {
  const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2;

  it('are those that JSON.stringify writes, for every character', () => {
    for (let code = 0; code <= 0xffff; code += 1) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      if (jsonBytes(String.fromCharCode(code)) !== bytesOf(String.fromCharCode(code))) expect.fail(`U+${code.toString(16)}`);
    }
    for (const text of ['', 'plain', '🟡', '\u{10000}', '\u{10ffff}', 'a"b\\c\u0001é日🟡', ' ~\u007f']) expect(jsonBytes(text)).toBe(bytesOf(text));
  });
});

/** Start and end of each mark, host with its mark, escape and grapheme, read one after the other. */
function unitsOf(text: string): readonly (readonly [number, number])[] {
  const whole = [...text.matchAll(/(?:[^\s/@⟨⟩]*⟨host [^⟩]*⟩)|⟨[^⟨⟩]*⟩|\\u\{[0-9a-f]{1,6}\}/g)].map((found) => [found.index, found.index + found[0].length] as const);
  const graphemes = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)].map(({ index, segment }) => [index, index + segment.length] as const);
  return [...whole, ...graphemes];
}

describe('a cut', () => {
  const TEXTS = [
    'plain words of text',
    'a⟨hidden⟩b⟨3 spaces⟩c',
    '⟨hidden⟩⟨hidden⟩',
    'see \\u{202e}here\\u{e0041}',
    'e\u0301e\u0301 👩\u200d👧 🇩🇪 日本',
    'go to xn⟨host xn--exmple-cua.com⟩/path and on',
    '//exämple.com⟨host xn--exmple-cua.com⟩/x',
    'é\u0301x⟨12 bytes cut⟩🟡',
    `${'w'.repeat(40)}👩\u200d👧${'w'.repeat(40)}⟨cut⟩`,
    `${'ä'.repeat(60)}\\u{200b}${'ä'.repeat(60)}`,
  ];

  it.each(TEXTS)('in %j splits nothing, and goes back no further than it must', (text) => {
    const units = unitsOf(text);
    for (let index = 0; index <= text.length; index += 1) {
      const within = units.filter(([start, end]) => start < index && index < end).map(([start]) => start);
      expect([index, cutPoint(text, index)]).toEqual([index, Math.min(index, ...within)]);
    }
  });

  it.each(TEXTS)('of %j keeps within its bytes, head and tail whole, and counts what is between', (text) => {
    for (let room = 0; room <= Buffer.byteLength(text) + 1; room += 1) {
      const { text: shown, cut_bytes } = cutText(text, room);
      expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(room);
      if (room >= Buffer.byteLength(text)) expect([shown, cut_bytes]).toEqual([text, 0]);
      else if (shown === '' || shown === '…') expect([cut_bytes, shown]).toEqual([Buffer.byteLength(text), room >= 3 ? '…' : '']);
      else {
        const mark = bytesCutMark(cut_bytes);
        const at = shown.lastIndexOf(mark);
        const [head, tail] = [shown.slice(0, at), shown.slice(at + mark.length)];
        expect(at >= 0 && text.startsWith(head) && text.endsWith(tail)).toBe(true);
        expect(Buffer.byteLength(head) + Buffer.byteLength(tail) + cut_bytes).toBe(Buffer.byteLength(text));
      }
    }
  });

  it('joins two windows of a longer text, and says at least how much was not seen', () => {
    const ends = { unseen_bytes: 1000, exact: false, as_json: false };
    expect(joinEnds('h'.repeat(100), 't'.repeat(100), { ...ends, room: 300 })).toEqual({ text: `${'h'.repeat(100)}⟨at least 1000 bytes cut⟩${'t'.repeat(100)}`, cut_bytes: 1000 });
    const { text, cut_bytes } = joinEnds('h'.repeat(100), 't'.repeat(100), { ...ends, room: 60 });
    const [, head = '', tail = ''] = /^(h*)⟨at least \d+ bytes cut⟩(t*)$/.exec(text) ?? [];
    expect([text.length > 0, Buffer.byteLength(text) <= 60, cut_bytes]).toEqual([true, true, 1200 - head.length - tail.length]);
    expect(joinEnds('same', 'same', { room: 100, unseen_bytes: 0, exact: true, as_json: false }).cut_bytes).toBe(0);
    expect(joinEnds('same', 'same', { room: 100, unseen_bytes: 7, exact: true, as_json: false })).toEqual({ text: 'same⟨7 bytes cut⟩same', cut_bytes: 7 });
  });

  it('measures its room in bytes of JSON where that is asked for', () => {
    const quotes = '"'.repeat(200);
    const { text } = joinEnds(quotes, quotes, { room: 100, unseen_bytes: 0, exact: true, as_json: true });
    expect(jsonBytes(text)).toBeLessThanOrEqual(100);
    expect(jsonBytes(text)).toBeGreaterThan(90);
  });
});

describe('a mark', () => {
  it('is read as one exactly where it is whole', () => {
    for (const mark of [spacesMark(3), lineBreaksMark(4), bytesCutMark(5), bytesCutMark(5, false), moreMark(2, 'items'), moreMark(2, 'members'), collectionMark(3, 'array'), collectionMark(3, 'object'), '⟨hidden⟩', '⟨cut⟩', '⟨cannot be shown⟩', '⟨not given⟩', '⟨host a.example⟩', '⟨host not valid⟩', '⟨12⟩']) {
      expect([mark, isMark(mark), isMark(`${mark} `), isMark(` ${mark}`), isMark(mark.slice(1)), marksIn(`a${mark}b`)]).toEqual([mark, true, false, false, false, [[1, 1 + mark.length]]]);
    }
    for (const none of ['', 'hidden', '⟨hiden⟩', '⟨⟩', '⟨3 space⟩', '⟨-1 spaces⟩']) expect([none, isMark(none), marksIn(none)]).toEqual([none, false, []]);
    const host = (length: number): string => `⟨host ${'a'.repeat(length)}⟩`;
    expect([isMark(host(253)), isMark(host(254)), host(253).length <= longestMark]).toEqual([true, false, true]);
  });
});
