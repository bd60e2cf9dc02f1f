import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../../lambdas/domain/json/json-value.ts';
import { projectDisplay } from '../../../../lambdas/domain/display/project-display.ts';
import { ordinaryArguments, ordinaryCommands } from '../../../support/ordinary-arguments.ts';

const corpus: readonly JsonValue[] = [...ordinaryCommands.map((command) => ({ command })), ...ordinaryArguments];

describe('ordinary commands and arguments', () => {
  it('hides under one word in a hundred', () => {
    const words = corpus.reduce<number>((sum, value) => sum + JSON.stringify(value).split(/[\s,:"{}[\]]+/).filter((word) => word !== '').length, 0);
    const hidden = corpus.reduce<number>((sum, value) => sum + projectDisplay(value).redaction.hidden_values, 0);
    expect(words).toBeGreaterThan(1000);
    expect(hidden / words).toBeLessThan(0.01);
  });

  it.each(corpus)('shows %j as it is', (value) => {
    const { display, redaction } = projectDisplay(value);
    expect(redaction).toMatchObject({ redacted: false, truncated: false });
    expect(display).toEqual(value);
  });
});
