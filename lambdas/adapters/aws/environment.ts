// Reads what the stack wired in. A missing value stops the cold start with its name, not the first request.
import { Fault } from '../../domain/faults.ts';

type Wired = 'EVENT_LOG_TABLE' | 'VIEWS_TABLE' | 'VAULT_TABLE' | 'REGISTRY_TABLE' | 'STATE_MACHINE_ARN' | 'EVENT_BUS_NAME' | 'FORM_KEY_SECRET_ARN' | 'HASH_KEY_ARN' | 'MAX_PENDING_PER_AGENT';

export function wired(environment: Readonly<Record<string, string | undefined>>, name: Wired): string {
  const value = environment[name];
  if (value === undefined || value === '') throw new Fault('Misconfigured', `${name} is not set`);
  return value;
}
