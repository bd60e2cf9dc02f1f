// The example policy set, as the files of policies/ say it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../policies');

interface SeedFile {
  readonly scope: string;
  readonly document: { readonly rules: readonly { readonly id: string }[] };
}

export const examplePolicies: readonly SeedFile[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json'))
  .sort()
  .map((file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as SeedFile);
