// The key of page forms, made once in the data folder, readable by its owner only.
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import type { FormKeys } from '../../lambdas/ports/system.ts';

export function fileFormKeys(path: string): FormKeys {
  return {
    formKey: async () => {
      // `wx`: the first to come makes the key, and nobody replaces it.
      await writeFile(path, randomBytes(32), { flag: 'wx', mode: 0o600 }).catch(() => undefined);
      return readFile(path);
    },
  };
}
