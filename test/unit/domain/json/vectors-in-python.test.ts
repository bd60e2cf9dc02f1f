import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { buildVectors } from '../../../support/json-vectors.ts';

const CHECK = fileURLToPath(new URL('../../../support/canonical_json_check.py', import.meta.url));
const FILE = fileURLToPath(new URL('../../../../docs/vectors/canonical-json.json', import.meta.url));
const hasPython = spawnSync('python3', ['--version']).status === 0;

describe.skipIf(!hasPython)(`the published vectors${hasPython ? '' : ' (SKIPPED: python3 is not on the path)'}`, () => {
  it('hold for a reader and writer in Python that share no line with ours', () => {
    const run = spawnSync('python3', ['-I', CHECK, FILE], { encoding: 'utf8' });
    expect(run.stderr).toBe('');
    const { accepted, refused } = buildVectors();
    expect(JSON.parse(run.stdout)).toStrictEqual({ accepted: accepted.length, refused: refused.length, wrong: [] });
  });
});
