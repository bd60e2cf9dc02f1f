// The key of page forms, made by the stack and read once per cold start.
import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { Fault } from '../../domain/faults.ts';
import type { FormKeys } from '../../ports/system.ts';
import { call } from './aws-errors.ts';

export function secretsFormKeys(client: Pick<SecretsManagerClient, 'send'>, secret_arn: string): FormKeys {
  let key: Promise<Uint8Array> | undefined;
  const read = async (): Promise<Uint8Array> => {
    const { SecretString } = await call('reading the form key', () => client.send(new GetSecretValueCommand({ SecretId: secret_arn })));
    if (SecretString === undefined || SecretString.length < 32) throw new Fault('Misconfigured', 'the form key is missing or short');
    return Buffer.from(SecretString, 'utf8');
  };
  return {
    formKey: async () => {
      key ??= read().catch((thrown: unknown) => {
        key = undefined;
        throw thrown;
      });
      return key;
    },
  };
}
