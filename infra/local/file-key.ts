// A 32-byte key in a file of the data folder, made once and readable by its owner only.
import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';

const KEY_BYTES = 32;

/** Resolves to the same key for as long as the file stays; throws where the file is no key. */
export async function fileKey(path: string): Promise<Buffer> {
  return (await read(path)) ?? (await make(path));
}

async function make(path: string): Promise<Buffer> {
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, randomBytes(KEY_BYTES), { flag: 'wx', mode: 0o600 });
  // Linked, not written in place: the first to come makes the key, nobody replaces it, and nobody reads half of it.
  await link(draft, path).catch(() => undefined);
  await rm(draft);
  const key = await read(path);
  if (key === undefined) throw new Error(`the key file ${path} cannot be made`);
  return key;
}

async function read(path: string): Promise<Buffer | undefined> {
  const key = await readFile(path).catch(() => undefined);
  if (key !== undefined && key.length !== KEY_BYTES) throw new Error(`the key file ${path} does not hold ${KEY_BYTES} bytes`);
  return key;
}
