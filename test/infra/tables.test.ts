import { describe, expect, it } from 'vitest';
import { CONFIGURATION, functionOf, only, readable, resourcesOf, synthesise } from './synthesis.ts';

const template = synthesise();
const table = (prefix: string): Record<string, unknown> => only(template, 'AWS::DynamoDB::Table', prefix).Properties;

describe('the tables', () => {
  it.each(['EventLog', 'Vault', 'Views', 'Registry'])('keeps %s on demand, restorable, and safe from deletion', (prefix) => {
    const { Properties, DeletionPolicy } = only(template, 'AWS::DynamoDB::Table', prefix);
    expect(DeletionPolicy).toBe('Retain');
    expect(Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    });
  });

  it('streams new images of the event log, and of no other table', () => {
    expect(table('EventLog')).toMatchObject({ StreamSpecification: { StreamViewType: 'NEW_IMAGE' } });
    for (const prefix of ['Vault', 'Views', 'Registry']) expect(table(prefix)).not.toHaveProperty('StreamSpecification');
  });

  it('never lets an event of the log run out', () => {
    expect(table('EventLog')).not.toHaveProperty('TimeToLiveSpecification');
    for (const prefix of ['Vault', 'Views', 'Registry']) expect(table(prefix)).toMatchObject({ TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true } });
  });

  it('keeps the vault without an index, under a key of its own that rotates', () => {
    expect(table('Vault')).not.toHaveProperty('GlobalSecondaryIndexes');
    expect(table('Vault')).toMatchObject({ SSESpecification: { SSEEnabled: true, SSEType: 'KMS' } });
    const { KMSMasterKeyId } = table('Vault').SSESpecification as { readonly KMSMasterKeyId: unknown };
    expect(readable(KMSMasterKeyId)).toBe('VaultKey');
    const key = only(template, 'AWS::KMS::Key', 'VaultKey');
    expect(key.Properties.EnableKeyRotation).toBe(true);
    expect(key.DeletionPolicy).toBe('Retain');
  });

  it.each([
    ['EventLog', 'unpublished', 'unpublished_shard', 'unpublished_since', 'KEYS_ONLY'],
    ['Views', 'inbox', 'inbox', 'inbox_order', 'ALL'],
    ['Views', 'due', 'due_shard', 'due_at', 'KEYS_ONLY'],
    ['Views', 'recent', 'workspace_id', 'requested_at', 'KEYS_ONLY'],
    ['Views', 'listed', 'listed_in', 'listed_order', 'KEYS_ONLY'],
  ])('indexes %s as %s by %s and %s', (prefix, index, partition, sort, projection) => {
    expect(table(prefix).GlobalSecondaryIndexes).toContainEqual({
      IndexName: index,
      KeySchema: [
        { AttributeName: partition, KeyType: 'HASH' },
        { AttributeName: sort, KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: projection },
    });
  });

  it('lets everything go with the stack where the configuration says destroy', () => {
    const trial = synthesise({ ...CONFIGURATION, removal: 'destroy' });
    const kept = Object.entries({ ...resourcesOf(trial, 'AWS::DynamoDB::Table'), ...resourcesOf(trial, 'AWS::KMS::Key'), ...resourcesOf(trial, 'AWS::Logs::LogGroup') });
    expect(kept.filter(([, resource]) => resource.DeletionPolicy !== 'Delete' || resource.Properties.DeletionProtectionEnabled === true)).toEqual([]);
  });
});

describe('the form key', () => {
  it('is made up by AWS and stands in no environment', () => {
    expect(only(template, 'AWS::SecretsManager::Secret').Properties).toMatchObject({ GenerateSecretString: { PasswordLength: 64 } });
    const { Variables } = functionOf(template, 'decide-operation').Properties.Environment as { readonly Variables: Readonly<Record<string, unknown>> };
    expect(readable(Variables.FORM_KEY_SECRET_ARN)).toBe('FormKeySecret');
  });
});
