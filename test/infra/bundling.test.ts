// What is deployed is a bundle: each is built as it is for AWS, put where no node_modules is in reach, loaded by the
// Node of the runtime and, where a route leads to it, asked something.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { bundleFunction } from '../../infra/constructs/bundling.ts';
import { parseConfiguration } from '../../infra/config.ts';
import { ROUTES, type FunctionName } from '../../infra/routes.ts';
import { CONFIGURATION } from './synthesis.ts';

const folder = mkdtempSync(join(tmpdir(), 'countersign-bundles-'));
afterAll(() => rmSync(folder, { recursive: true }));

const configuration = parseConfiguration(CONFIGURATION);
const ROUTED: readonly FunctionName[] = [...new Set(ROUTES.map((route) => route.function))];
const UNROUTED: readonly FunctionName[] = ['park-task-token', 'run-tool', 'settle-operation', 'relay-events', 'seed-registry'];
const NAMES = [...ROUTED, ...UNROUTED];

/** Every name that any function asks for: the bundle is to load, not to be told what it may not have. */
const ENVIRONMENT = {
  AWS_REGION: 'eu-west-1',
  EVENT_LOG_TABLE: 'event-log',
  VIEWS_TABLE: 'views',
  VAULT_TABLE: 'vault',
  REGISTRY_TABLE: 'registry',
  STATE_MACHINE_ARN: 'arn:aws:states:eu-west-1:111122223333:stateMachine:approval',
  EVENT_BUS_NAME: 'bus',
  FORM_KEY_SECRET_ARN: 'arn:aws:secretsmanager:eu-west-1:111122223333:secret:form-key',
  HASH_KEY_ARN: 'arn:aws:kms:eu-west-1:111122223333:key/hash-key',
  MAX_PENDING_PER_AGENT: '100',
  GROUPS_CLAIM: '{"claim":"groups","max_age_seconds":600}',
};

const REQUESTS = Object.fromEntries(
  ROUTES.map(({ function: name, method, path }) => {
    const requestContext = { routeKey: `${method} ${path}`, requestId: 'r1', http: { method, path } };
    const pathParameters = { id: 'op_00000000000000000000000000000000' };
    const headers = { 'content-type': 'application/json' };
    return [name, { version: '2.0', routeKey: `${method} ${path}`, rawPath: path, rawQueryString: '', headers, pathParameters, requestContext, body: '{}', isBase64Encoded: false }];
  }),
);

const PROBE = `
const answers = { node: process.versions.node.split('.')[0] };
for (const name of ${JSON.stringify(NAMES)}) {
  const { handler } = await import('./' + name + '/index.mjs');
  const request = ${JSON.stringify(REQUESTS)}[name];
  answers[name] = request === undefined ? typeof handler : (await handler(request, {})).statusCode;
}
process.stdout.write('\\n' + JSON.stringify(answers));
`;

describe('the bundle of each function', () => {
  it.each(NAMES)('%s is one file that is quickly loaded', (name) => {
    bundleFunction(name, join(folder, name), { COUNTERSIGN_REGISTRY: JSON.stringify(configuration.registry), COUNTERSIGN_POLICIES: JSON.stringify(configuration.policies) });
    expect(statSync(join(folder, name, 'index.mjs')).size).toBeLessThan(2 * 1024 * 1024);
  });

  it('loads alone under the Node of its runtime, and answers a request without identity with 401', () => {
    writeFileSync(join(folder, 'probe.mjs'), PROBE);
    const said = execFileSync(process.execPath, ['probe.mjs'], { cwd: folder, env: ENVIRONMENT, encoding: 'utf8' });
    expect(JSON.parse(said.slice(said.lastIndexOf('\n')))).toEqual({
      node: '24',
      ...Object.fromEntries(ROUTED.map((name) => [name, 401])),
      ...Object.fromEntries(UNROUTED.map((name) => [name, 'function'])),
    });
  });

  it('holds the registry document and the policies where seed-registry looks for them, and nowhere else', () => {
    const text = readFileSync(join(folder, 'seed-registry/index.mjs'), 'utf8');
    expect(text).toContain('iam:arn:aws:iam::111122223333:role/billing-bot');
    expect(text).toContain('tool:refund_payment');
    expect(text).not.toMatch(/COUNTERSIGN_(REGISTRY|POLICIES)/);
    for (const name of NAMES.filter((each) => each !== 'seed-registry')) expect(readFileSync(join(folder, name, 'index.mjs'), 'utf8')).not.toContain('tool:refund_payment');
  });
});
