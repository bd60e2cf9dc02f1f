import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const cruise = (cwd: string, ...folders: string[]): { ok: boolean; report: string } => {
  try {
    const report = execFileSync(process.execPath, [join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs'), '--config', join(root, '.dependency-cruiser.cjs'), ...folders], { cwd, encoding: 'utf8' });
    return { ok: true, report };
  } catch (thrown) {
    return { ok: false, report: (thrown as { stdout: string }).stdout };
  }
};

describe('imports go one way', () => {
  it('holds in the whole house', () => {
    const { ok, report } = cruise(root, 'bin', 'infra', 'lambdas', 'examples');
    expect(ok, report).toBe(true);
  });

  it.each(['lambdas-domain-imports', 'functions-apart', 'no-rooms-without-a-name'])('catches a planted violation of %s', (rule) => {
    const { ok, report } = cruise(join(import.meta.dirname, 'planted'), 'lambdas');
    expect(ok).toBe(false);
    expect(report).toContain(rule);
  });
});
