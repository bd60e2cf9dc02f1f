// The deployed functions, and the one place where their defaults are set: runtime, log group, limits, role.
// A role starts with the right to write its own log; every other right comes from the building block that owns the thing.
import { Duration } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Function as LambdaFunction, LoggingFormat, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Configuration } from '../config.ts';
import type { FunctionName } from '../routes.ts';
import { functionCode, type Constants } from './bundling.ts';
import { createLogGroup } from './log-groups.ts';

interface Settings {
  readonly description: string;
  readonly timeout: Duration;
}

/** HTTP API gives up after 30 s; a function that runs on then works for nobody. */
const HTTP_TIMEOUT = Duration.seconds(29);

const SETTINGS: Readonly<Record<FunctionName, Settings>> = {
  'submit-operation': { description: 'Takes a proposed tool call and judges it by policy', timeout: HTTP_TIMEOUT },
  'read-operation': { description: 'Shows one operation and its events', timeout: HTTP_TIMEOUT },
  'decide-operation': { description: 'Records the vote of a person', timeout: HTTP_TIMEOUT },
  'cancel-operation': { description: 'Ends an operation before its tool runs', timeout: HTTP_TIMEOUT },
  'renew-lease': { description: 'Notes that whoever proposed an operation is still there', timeout: HTTP_TIMEOUT },
  'list-inbox': { description: 'Lists what a person may decide, and to administrators what there is', timeout: HTTP_TIMEOUT },
  'show-pages': { description: 'Renders the pages of approvers', timeout: HTTP_TIMEOUT },
  'show-full-view': { description: 'Shows approvers all the arguments, redacted', timeout: HTTP_TIMEOUT },
  'reveal-arguments': { description: 'Records that exact arguments were asked for, and shows them', timeout: HTTP_TIMEOUT },
  'manage-policies': { description: 'Shows and changes policy documents', timeout: HTTP_TIMEOUT },
  'manage-directory': { description: 'Shows and changes who is who, and who stands in for whom', timeout: HTTP_TIMEOUT },
  'explain-policy': { description: 'Says why policy says what it says, and what a draft would change', timeout: HTTP_TIMEOUT },
  'list-tools': { description: 'Lists the tools that an agent may be told of', timeout: HTTP_TIMEOUT },
  'park-task-token': { description: 'Stores the task token of a waiting execution', timeout: Duration.seconds(30) },
  // The longest a Lambda may live: the tool has 840 s of it (`timeout_seconds` of the registry).
  'run-tool': { description: 'Claims a grant and runs its tool once', timeout: Duration.minutes(15) },
  'settle-operation': { description: 'Says what the event log wants of an execution now', timeout: Duration.seconds(30) },
  'relay-events': { description: 'Tells stored events to the bus, the views and the waiting execution', timeout: Duration.seconds(55) },
  'seed-registry': { description: 'Stores the registry and the policies of the deployment', timeout: Duration.minutes(1) },
};

export type Functions = Readonly<Record<FunctionName, LambdaFunction>>;

/** `constants`: global names that a function's bundle finds replaced, by function. */
export function createFunctions(scope: Construct, configuration: Configuration, constants: Partial<Readonly<Record<FunctionName, Constants>>>): Functions {
  const room = new Construct(scope, 'Functions');
  const create = (name: FunctionName): LambdaFunction => createFunction(room, name, configuration, constants[name]);
  return {
    'submit-operation': create('submit-operation'),
    'read-operation': create('read-operation'),
    'decide-operation': create('decide-operation'),
    'cancel-operation': create('cancel-operation'),
    'renew-lease': create('renew-lease'),
    'list-inbox': create('list-inbox'),
    'show-pages': create('show-pages'),
    'show-full-view': create('show-full-view'),
    'reveal-arguments': create('reveal-arguments'),
    'manage-policies': create('manage-policies'),
    'manage-directory': create('manage-directory'),
    'explain-policy': create('explain-policy'),
    'list-tools': create('list-tools'),
    'park-task-token': create('park-task-token'),
    'run-tool': create('run-tool'),
    'settle-operation': create('settle-operation'),
    'relay-events': create('relay-events'),
    'seed-registry': create('seed-registry'),
  };
}

function createFunction(scope: Construct, name: FunctionName, configuration: Configuration, constants: Constants | undefined): LambdaFunction {
  const room = new Construct(scope, name);
  const logGroup = createLogGroup(room, 'Log', configuration);
  const role = new Role(room, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  logGroup.grantWrite(role);
  // No reserved concurrency: a fresh account may have ten in all, and then the deployment would be refused.
  return new LambdaFunction(room, 'Function', {
    ...SETTINGS[name],
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    handler: 'index.handler',
    code: functionCode(name, constants),
    memorySize: 512,
    role,
    logGroup,
    loggingFormat: LoggingFormat.JSON,
    environment: { POWERTOOLS_SERVICE_NAME: name },
  });
}
