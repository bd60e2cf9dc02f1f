// An opinion from outside on the template. cfn-lint is a Python program: where there is none, the test says so and skips.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { synthesise } from './synthesis.ts';

const installed = spawnSync('cfn-lint', ['--version']).status === 0;
if (!installed) process.stderr.write('SKIPPED: cfn-lint is not on the PATH, the template is not linted here\n');

/** W3005: CDK also writes a dependency that a reference implies. E3601: cfn-lint leaves `${Partition}` of the definition as it is. */
const IGNORED = ['W3005', 'E3601'];

describe.skipIf(!installed)('cfn-lint', () => {
  it('has nothing to say about the template', () => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-'));
    try {
      const file = join(folder, 'template.json');
      writeFileSync(file, JSON.stringify(synthesise().toJSON()));
      const lint = (): string => execFileSync('cfn-lint', ['--format', 'parseable', ...IGNORED.flatMap((rule) => ['--ignore-checks', rule]), '--', file], { encoding: 'utf8' });
      expect(lint).not.toThrow();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
