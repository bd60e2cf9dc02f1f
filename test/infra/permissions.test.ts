// Who may do what, role by role: the table of DESIGN 4 as IAM statements. A change here is a change of that table.
import { describe, expect, it } from 'vitest';
import type { FunctionName } from '../../infra/routes.ts';
import { EVENT_SOURCE } from '../../lambdas/domain/events.ts';
import { allResources, CONFIGURATION, functionOf, many, readable, resourcesOf, rightsOf, rightsOfRole, statementsOf, synthesise, TOOL_ARN, type Statement } from './synthesis.ts';

const template = synthesise();

const LOAD = 'dynamodb:Query EventLogTable on rows op_*';
const APPEND = 'dynamodb:PutItem EventLogTable on rows op_*';
const LOAD_POLICIES = 'dynamodb:Query EventLogTable on rows policy#*';
const CHANGE_POLICIES = 'dynamodb:PutItem EventLogTable on rows policy#*';
const REGISTRY_ROWS = 'RegistryTable on rows tool#* workspace#* organisation#* document#*';
const READ_REGISTRY = `dynamodb:GetItem ${REGISTRY_ROWS}`;
const LOAD_DIRECTORY = 'dynamodb:Query EventLogTable on rows directory#*';
/** Who is asking: the directory's entries, and the hints that lead to them. */
const FIND_STAND_INS = 'dynamodb:Query RegistryTable on rows standin#*';
const IDENTIFY = [READ_REGISTRY, LOAD_DIRECTORY, 'dynamodb:GetItem RegistryTable on rows identity#*', 'dynamodb:Query RegistryTable on rows member#* listed#from_claim*'];
const FIND_AGENTS = 'dynamodb:Query RegistryTable on rows speaker#* listed#agent* listed#service*';
const CHANGE_DIRECTORY = [
  LOAD_DIRECTORY,
  'dynamodb:PutItem EventLogTable on rows directory#*',
  'dynamodb:GetItem RegistryTable on rows identity#*',
  'dynamodb:Query RegistryTable on rows member#* listed#* standin#* speaker#*',
  ...['PutItem', 'DeleteItem'].map((action) => `dynamodb:${action} RegistryTable on rows identity#* member#* listed#* standin#* speaker#*`),
];
const READ_TOKEN = 'dynamodb:GetItem VaultTable on rows token#*';
const PARK_TOKEN = 'dynamodb:PutItem VaultTable on rows token#*';
const useHistory = (action: string): string => `kms:${action} StateMachineKey if StringEquals kms:EncryptionContext:aws:states:stateMachineArn arn:AWS::Partition:states:AWS::Region:AWS::AccountId:stateMachine:Countersign-approval`;
const HISTORY_KEY = [useHistory('Decrypt'), useHistory('GenerateDataKey')];
const WAKE = ['states:SendTaskFailure StateMachine', 'states:SendTaskSuccess StateMachine', ...HISTORY_KEY];
const START = ['states:StartExecution StateMachine', ...HISTORY_KEY];
const KEY_HASHES = 'kms:GenerateMac HashKey if StringEquals kms:MacAlgorithm HMAC_SHA_256';
const READ_ARGUMENTS = 'dynamodb:GetItem VaultTable on rows arguments#*';
const SIGN_FORMS = 'secretsmanager:GetSecretValue FormKeySecret';
const REPORT_FAILURE = ['sqs:GetQueueAttributes UndeliveredQueue', 'sqs:GetQueueUrl UndeliveredQueue', 'sqs:SendMessage UndeliveredQueue'];
const useKey = (...actions: readonly string[]): string[] => actions.map((action) => `kms:${action} VaultKey if StringEquals kms:ViaService dynamodb.AWS::Region.amazonaws.com`);
const DECRYPT = useKey('Decrypt', 'DescribeKey');
const ENCRYPT = useKey('Decrypt', 'DescribeKey', 'Encrypt', 'GenerateDataKey', 'ReEncryptFrom', 'ReEncryptTo');

const MATRIX: Readonly<Record<FunctionName, readonly string[]>> = {
  'submit-operation': [
    ...[LOAD, APPEND, LOAD_POLICIES, ...IDENTIFY, ...START, ...ENCRYPT, KEY_HASHES, READ_ARGUMENTS],
    'dynamodb:PutItem VaultTable on rows arguments#*',
    'dynamodb:GetItem RegistryTable on rows call#*',
    'dynamodb:PutItem RegistryTable on rows call#*',
    ...['PutItem', 'Query', 'DeleteItem'].map((action) => `dynamodb:${action} RegistryTable on rows open#*`),
    ...['GetItem', 'PutItem'].map((action) => `dynamodb:${action} RegistryTable on rows same#* run#*`),
  ],
  'read-operation': [LOAD, ...IDENTIFY, 'dynamodb:GetItem VaultTable on rows result#*', ...DECRYPT, 'dynamodb:GetItem RegistryTable on rows run#*', 'dynamodb:Query RegistryTable on rows open#*'],
  'decide-operation': [LOAD, APPEND, LOAD_POLICIES, ...IDENTIFY, READ_ARGUMENTS, READ_TOKEN, ...DECRYPT, ...WAKE, SIGN_FORMS, 'dynamodb:GetItem ViewsTable on rows lease#*'],
  'cancel-operation': [LOAD, APPEND, ...IDENTIFY, READ_TOKEN, ...DECRYPT, ...WAKE, 'dynamodb:PutItem RegistryTable on rows run#*', 'dynamodb:Query RegistryTable on rows open#*'],
  'renew-lease': [LOAD, ...IDENTIFY, 'dynamodb:GetItem ViewsTable on rows lease#*', 'dynamodb:PutItem ViewsTable on rows lease#*'],
  'list-inbox': [...IDENTIFY, FIND_STAND_INS, 'dynamodb:Query ViewsTable/index/inbox', 'dynamodb:Query ViewsTable/index/listed', 'dynamodb:BatchGetItem ViewsTable on rows operation#*'],
  'show-pages': [LOAD, ...IDENTIFY, FIND_STAND_INS, 'dynamodb:Query ViewsTable/index/inbox', SIGN_FORMS],
  'show-full-view': [LOAD, ...IDENTIFY, READ_ARGUMENTS, ...DECRYPT, SIGN_FORMS],
  'reveal-arguments': [LOAD, APPEND, ...IDENTIFY, READ_ARGUMENTS, ...DECRYPT, SIGN_FORMS],
  'manage-policies': [LOAD_POLICIES, CHANGE_POLICIES, ...IDENTIFY, FIND_AGENTS],
  'manage-directory': [...IDENTIFY, ...CHANGE_DIRECTORY],
  'explain-policy': [LOAD, LOAD_POLICIES, ...IDENTIFY, FIND_AGENTS, READ_ARGUMENTS, ...DECRYPT, 'dynamodb:Query ViewsTable/index/recent', SIGN_FORMS],
  'list-tools': [LOAD_POLICIES, ...IDENTIFY],
  'park-task-token': [LOAD, READ_TOKEN, PARK_TOKEN, ...ENCRYPT, ...WAKE],
  'run-tool': [
    ...[LOAD, APPEND, LOAD_POLICIES, READ_REGISTRY, PARK_TOKEN, ...ENCRYPT, KEY_HASHES, READ_ARGUMENTS],
    'dynamodb:PutItem VaultTable on rows result#*',
    `lambda:InvokeFunction ${TOOL_ARN}`,
  ],
  'settle-operation': [LOAD, APPEND, ...REPORT_FAILURE],
  'relay-events': [
    ...[LOAD, APPEND, LOAD_POLICIES, LOAD_DIRECTORY, READ_TOKEN, ...DECRYPT, ...WAKE, ...START, ...REPORT_FAILURE],
    'dynamodb:UpdateItem EventLogTable on rows op_* policy#* directory#*',
    'dynamodb:Query EventLogTable/index/unpublished',
    'dynamodb:PutItem ViewsTable on rows operation#* inbox#*',
    'dynamodb:Query ViewsTable/index/due',
    ...['GetItem', 'PutItem', 'DeleteItem'].map((action) => `dynamodb:${action} ViewsTable on rows lease#*`),
    ...['PutItem', 'Query', 'DeleteItem'].map((action) => `dynamodb:${action} RegistryTable on rows open#*`),
    'dynamodb:GetItem RegistryTable on rows run#*',
    `events:PutEvents EventBus if StringEquals events:source ${EVENT_SOURCE}`,
    'dynamodb:DescribeStream EventLogTable/stream',
    'dynamodb:GetRecords EventLogTable/stream',
    'dynamodb:GetShardIterator EventLogTable/stream',
    'dynamodb:ListStreams *',
  ],
  'seed-registry': [LOAD_POLICIES, CHANGE_POLICIES, ...CHANGE_DIRECTORY, FIND_AGENTS, READ_REGISTRY, `dynamodb:PutItem ${REGISTRY_ROWS}`, `dynamodb:DeleteItem ${REGISTRY_ROWS} principal#* person#* group#* agent#*`],
};

const ENVIRONMENT: Readonly<Record<FunctionName, readonly string[]>> = {
  'submit-operation': ['EVENT_LOG_TABLE', 'VAULT_TABLE', 'REGISTRY_TABLE', 'STATE_MACHINE_ARN', 'HASH_KEY_ARN', 'MAX_PENDING_PER_AGENT'],
  'read-operation': ['EVENT_LOG_TABLE', 'VAULT_TABLE', 'REGISTRY_TABLE'],
  'decide-operation': ['EVENT_LOG_TABLE', 'VAULT_TABLE', 'VIEWS_TABLE', 'REGISTRY_TABLE', 'FORM_KEY_SECRET_ARN'],
  'cancel-operation': ['EVENT_LOG_TABLE', 'VAULT_TABLE', 'REGISTRY_TABLE'],
  'renew-lease': ['EVENT_LOG_TABLE', 'REGISTRY_TABLE', 'VIEWS_TABLE'],
  'list-inbox': ['EVENT_LOG_TABLE', 'VIEWS_TABLE', 'REGISTRY_TABLE'],
  'show-pages': ['EVENT_LOG_TABLE', 'VIEWS_TABLE', 'REGISTRY_TABLE', 'FORM_KEY_SECRET_ARN'],
  'show-full-view': ['EVENT_LOG_TABLE', 'VAULT_TABLE', 'REGISTRY_TABLE', 'FORM_KEY_SECRET_ARN'],
  'reveal-arguments': ['EVENT_LOG_TABLE', 'VAULT_TABLE', 'REGISTRY_TABLE', 'FORM_KEY_SECRET_ARN'],
  'manage-policies': ['EVENT_LOG_TABLE', 'REGISTRY_TABLE'],
  'manage-directory': ['EVENT_LOG_TABLE', 'REGISTRY_TABLE'],
  'explain-policy': ['EVENT_LOG_TABLE', 'VAULT_TABLE', 'VIEWS_TABLE', 'REGISTRY_TABLE', 'FORM_KEY_SECRET_ARN'],
  'list-tools': ['EVENT_LOG_TABLE', 'REGISTRY_TABLE'],
  'park-task-token': ['EVENT_LOG_TABLE', 'VAULT_TABLE'],
  'run-tool': ['EVENT_LOG_TABLE', 'VAULT_TABLE', 'REGISTRY_TABLE', 'HASH_KEY_ARN'],
  'settle-operation': ['EVENT_LOG_TABLE'],
  'relay-events': ['EVENT_LOG_TABLE', 'VIEWS_TABLE', 'VAULT_TABLE', 'REGISTRY_TABLE', 'EVENT_BUS_NAME', 'STATE_MACHINE_ARN'],
  'seed-registry': ['EVENT_LOG_TABLE', 'REGISTRY_TABLE'],
};

const NAMES = Object.keys(MATRIX) as FunctionName[];

describe('the rights of each function', () => {
  it.each(NAMES)('gives %s what its work needs and nothing else', (name) => {
    const log = `Functions${name.replaceAll('-', '')}Log`;
    expect(rightsOf(template, name)).toEqual([...new Set([...MATRIX[name], `logs:CreateLogStream ${log}`, `logs:PutLogEvents ${log}`])].sort());
  });

  it.each(NAMES)('tells %s only the names of what it may use', (name) => {
    const { Variables } = functionOf(template, name).Properties.Environment as { readonly Variables: Readonly<Record<string, string>> };
    expect(Object.keys(Variables).filter((variable) => !variable.startsWith('POWERTOOLS_')).sort()).toEqual([...ENVIRONMENT[name]].sort());
  });

  it('tells whoever identifies callers of the claim that names groups, where there is one, and nobody else', () => {
    const groups_claim = { claim: 'groups', max_age_seconds: 600 };
    const claiming = synthesise({ ...CONFIGURATION, groups_claim });
    const told = NAMES.filter((name) => 'GROUPS_CLAIM' in (functionOf(claiming, name).Properties.Environment as { readonly Variables: object }).Variables);
    expect(told).toEqual(NAMES.filter((name) => MATRIX[name].includes('dynamodb:GetItem RegistryTable on rows identity#*') && name !== 'seed-registry'));
    expect((functionOf(claiming, 'decide-operation').Properties.Environment as { readonly Variables: Readonly<Record<string, string>> }).Variables['GROUPS_CLAIM']).toBe(JSON.stringify(groups_claim));
  });

  it('attaches no managed policy to a role of ours', () => {
    const roles = Object.entries(resourcesOf(template, 'AWS::IAM::Role')).filter(([id]) => !id.startsWith('AWSCDKTrigger'));
    expect(roles.filter(([, { Properties }]) => Properties.ManagedPolicyArns !== undefined)).toEqual([]);
  });

  it('gives run-tool no right to invoke anything when no tool names a function', () => {
    const [tool] = CONFIGURATION.registry.tools;
    const approvalOnly = { ...(tool ?? expect.fail('no tool')), executor: undefined };
    const without = synthesise({ ...CONFIGURATION, registry: { ...CONFIGURATION.registry, tools: [approvalOnly] } });
    expect(rightsOf(without, 'run-tool').filter((right) => right.startsWith('lambda:'))).toEqual([]);
  });
});

describe('rights beyond the functions', () => {
  it('lets the state machine invoke its three functions, use its key and write its log', () => {
    expect(rightsOfRole(template, 'StateMachineRole').filter((right) => !right.endsWith(' *'))).toEqual([
      'kms:Decrypt StateMachineKey if StringEquals kms:EncryptionContext:aws:states:stateMachineArn arn:AWS::Partition:states:AWS::Region:AWS::AccountId:stateMachine:Countersign-approval',
      'kms:GenerateDataKey StateMachineKey if StringEquals kms:EncryptionContext:SourceArn arn:AWS::Partition:logs:AWS::Region:AWS::AccountId:*',
      'kms:GenerateDataKey StateMachineKey if StringEquals kms:EncryptionContext:aws:states:stateMachineArn arn:AWS::Partition:states:AWS::Region:AWS::AccountId:stateMachine:Countersign-approval',
      'lambda:InvokeFunction FunctionsparktasktokenFunction',
      'lambda:InvokeFunction FunctionsruntoolFunction',
      'lambda:InvokeFunction FunctionssettleoperationFunction',
    ]);
  });

  it('denies everyone the deletion of events, and everyone but the relay the publishing of events', () => {
    const log = Object.entries(allResources(template)).find(([id, { Type }]) => Type === 'AWS::DynamoDB::Table' && id.startsWith('EventLog'))?.[1];
    expect(log?.Properties.ResourcePolicy.PolicyDocument.Statement).toEqual([
      expect.objectContaining({ Effect: 'Deny', Principal: { AWS: '*' }, Action: expect.arrayContaining(['dynamodb:DeleteItem', 'dynamodb:BatchWriteItem', 'dynamodb:PartiQLDelete']) }),
    ]);
    const [policy] = Object.values(resourcesOf(template, 'AWS::Events::EventBusPolicy'));
    const statement = policy?.Properties.Statement as Statement;
    expect(statement).toMatchObject({ Effect: 'Deny', Action: 'events:PutEvents', Principal: { AWS: '*' } });
    expect(readable(statement.Condition?.ArnNotEquals?.['aws:PrincipalArn'])).toBe('FunctionsrelayeventsRole');
  });

  it('allows no action by pattern, and names a resource wherever AWS knows one', () => {
    const found = Object.entries(allResources(template)).flatMap(([id, { Properties }]) => wideStatements(Properties).map((action) => `${id.replace(/[0-9A-F]{8}$/, '')} ${action}`));
    expect(found.sort()).toEqual(Object.keys(WITHOUT_RESOURCE).sort());
  });
});

/** Every statement with `Resource: "*"`, or with a pattern as action, and why it is so. */
const WITHOUT_RESOURCE: Readonly<Record<string, string>> = {
  'EventLogTable Deny dynamodb:BatchWriteItem': "a table's own policy speaks of that table",
  'EventLogTable Deny dynamodb:DeleteItem': "a table's own policy speaks of that table",
  'EventLogTable Deny dynamodb:PartiQLDelete': "a table's own policy speaks of that table",
  'EventLogTable Deny dynamodb:PartiQLUpdate': "a table's own policy speaks of that table",
  'FunctionsrelayeventsRoleDefaultPolicy Allow dynamodb:ListStreams': 'AWS offers no resource for it',
  'HashKey Allow kms:*': "a key's own policy speaks of that key; the account's IAM decides further",
  'StateMachineKey Allow kms:*': "a key's own policy speaks of that key; the account's IAM decides further",
  'StateMachineKey Allow kms:Decrypt*': "a key's own policy speaks of that key; log delivery of an encrypted state machine needs it",
  'StateMachineRoleDefaultPolicy Allow logs:CreateLogDelivery': 'AWS offers no resource for log delivery',
  'StateMachineRoleDefaultPolicy Allow logs:DeleteLogDelivery': 'AWS offers no resource for log delivery',
  'StateMachineRoleDefaultPolicy Allow logs:DescribeLogGroups': 'AWS offers no resource for log delivery',
  'StateMachineRoleDefaultPolicy Allow logs:DescribeResourcePolicies': 'AWS offers no resource for log delivery',
  'StateMachineRoleDefaultPolicy Allow logs:GetLogDelivery': 'AWS offers no resource for log delivery',
  'StateMachineRoleDefaultPolicy Allow logs:ListLogDeliveries': 'AWS offers no resource for log delivery',
  'StateMachineRoleDefaultPolicy Allow logs:PutResourcePolicy': 'AWS offers no resource for log delivery',
  'StateMachineRoleDefaultPolicy Allow logs:UpdateLogDelivery': 'AWS offers no resource for log delivery',
  'StateMachineRoleDefaultPolicy Allow xray:GetSamplingRules': 'AWS offers no resource for tracing',
  'StateMachineRoleDefaultPolicy Allow xray:GetSamplingTargets': 'AWS offers no resource for tracing',
  'StateMachineRoleDefaultPolicy Allow xray:PutTelemetryRecords': 'AWS offers no resource for tracing',
  'StateMachineRoleDefaultPolicy Allow xray:PutTraceSegments': 'AWS offers no resource for tracing',
  'VaultKey Allow kms:*': "a key's own policy speaks of that key; the account's IAM decides further",
};

function wideStatements(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (!('Effect' in value && 'Action' in value)) return Object.values(value).flatMap(wideStatements);
  const { Effect, Action, Resource } = value as Statement;
  const everywhere = Resource !== undefined && many(Resource).includes('*');
  const actions = many(Action).map(String);
  if (Effect === 'Deny' && !everywhere) return [];
  return actions.filter((action) => everywhere || action.includes('*')).map((action) => `${Effect} ${action}`);
}

describe('the roles that may wake an execution', () => {
  it('are those of park, decide, cancel and the relay', () => {
    const mayWake = NAMES.filter((name) => statementsOf(template, `Functions${name.replaceAll('-', '')}Role`).some(({ Action }) => many(Action).includes('states:SendTaskSuccess')));
    expect(mayWake).toEqual(['decide-operation', 'cancel-operation', 'park-task-token', 'relay-events']);
  });
});
