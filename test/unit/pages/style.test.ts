import { describe, expect, test } from 'vitest';
import { STYLE } from '../../../lambdas/pages/style.ts';

/** Colours of one scheme by custom property, in the order light, dark. */
const SCHEMES = [...STYLE.matchAll(/:root\{([^}]*)\}/g)].map(([, body = '']) => new Map([...body.matchAll(/--([a-z-]+):#([0-9a-f]{3,6})/g)].map(([, name = '', hex = '']) => [name, hex])));

/** WCAG 2.2, relative luminance. */
function luminance(hex: string): number {
  const six = hex.length === 3 ? hex.replace(/./g, '$&$&') : hex;
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const part = parseInt(six.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const TEXT_ON = ['ink/paper', 'ink/card', 'ink/well', 'soft/paper', 'soft/card', 'link/paper', 'link/card', 'stop/card', 'go/card', 'on/go', 'on/stop', 'note-ink/note', 'ink/said', 'said-ink/said', 'ink/mark', 'link/mark'];

describe.each([['light', SCHEMES[0]], ['dark', SCHEMES[1]]])('in the %s scheme', (_scheme, colours) => {
  test.each(TEXT_ON)('%s has a contrast of 4.5 at least', (pair) => {
    const [text = '', ground = ''] = pair.split('/').map((name) => colours?.get(name) ?? '');
    expect(text).toMatch(/^[0-9a-f]{3,6}$/);
    expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5);
  });

  test.each(['soft/card', 'link/card', 'link/paper', 'go/card', 'stop/card'])('%s, a border or focus ring, has 3 at least', (pair) => {
    const [line = '', ground = ''] = pair.split('/').map((name) => colours?.get(name) ?? '');
    expect(contrast(line, ground)).toBeGreaterThanOrEqual(3);
  });
});

test('asks nothing of anybody else', () => {
  expect(STYLE).not.toMatch(/url\(|@import|@font-face|expression|</i);
});
