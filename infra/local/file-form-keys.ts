// The key of page forms on this machine.
import type { FormKeys } from '../../lambdas/ports/system.ts';
import { fileKey } from './file-key.ts';

export function fileFormKeys(path: string): FormKeys {
  return { formKey: () => fileKey(path) };
}
