// Step Functions as moto understands it (the interpreter of LocalStack, in Python): an engine that we did not write and that
// shares nothing with the local one. The machine calls Lambda at MOTO_PORT, where we listen: invocations go to our functions,
// everything else goes on to moto. A token that moto does not know any more is InvalidToken there, TaskTimedOut on AWS.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  CreateStateMachineCommand, DescribeExecutionCommand, GetExecutionHistoryCommand, ListStateMachinesCommand, SFNClient, SendTaskFailureCommand,
  SendTaskSuccessCommand, StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import type { TaskWaker } from '../../lambdas/ports/executions.ts';

export type Functions = Readonly<Record<string, (payload: unknown) => Promise<unknown>>>;

export interface MotoStepFunctions {
  readonly wake: TaskWaker;
  /** Status and states, as `SUCCEEDED: AwaitDecision > RunTool`. */
  run(name: string, input: object): Promise<string>;
  close(): Promise<void>;
}

/** Why it cannot be used here, or undefined. */
export function motoIsMissing(): string | undefined {
  const { status } = spawnSync('python3', ['-c', 'import moto.server, moto.stepfunctions'], { stdio: 'ignore' });
  return status === 0 ? undefined : 'python3 with moto[server] is not installed';
}

/** `${Name}` in the definition becomes the function `Name`. */
export async function openMotoStepFunctions(definition: string, functions: Functions): Promise<MotoStepFunctions> {
  const motoPort = await freePort();
  const bridge = createServer((req, res) => void answer(functions, motoPort, req, res)).listen(0, '127.0.0.1');
  const bridgePort = await portOf(bridge);
  const moto = launch(motoPort, bridgePort);
  const sfn = new SFNClient({ endpoint: `http://127.0.0.1:${bridgePort}`, region: 'eu-west-1', credentials: { accessKeyId: 'test', secretAccessKey: 'test' } });
  const text = definition.replaceAll('${Partition}', 'aws').replaceAll(/\$\{(\w+)\}/g, '$1');
  await untilUp(sfn, moto);
  const { stateMachineArn } = await sfn.send(new CreateStateMachineCommand({ name: 'approval', definition: text, roleArn: 'arn:aws:iam::123456789012:role/approval' }));
  return {
    wake: {
      succeed: (taskToken) => wokenOrDead(() => sfn.send(new SendTaskSuccessCommand({ taskToken, output: '{}' }))),
      fail: (taskToken, error) => wokenOrDead(() => sfn.send(new SendTaskFailureCommand({ taskToken, error }))),
    },
    async run(name, input) {
      const { executionArn } = await sfn.send(new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(input) }));
      return untilEnded(sfn, executionArn ?? '');
    },
    async close() {
      moto.kill('SIGKILL');
      sfn.destroy();
      bridge.closeAllConnections();
      await new Promise((resolve) => bridge.close(resolve));
    },
  };
}

function launch(port: number, bridgePort: number): ChildProcess {
  const script = fileURLToPath(new URL('moto-step-functions.py', import.meta.url));
  return spawn('python3', [script, '-H', '127.0.0.1', '-p', String(port)], { env: { ...process.env, MOTO_PORT: String(bridgePort) }, stdio: ['pipe', 'ignore', 'ignore'] });
}

async function answer(functions: Functions, motoPort: number, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const invoked = /^\/2015-03-31\/functions\/([^/]+)\/invocations/.exec(req.url ?? '')?.[1];
  if (invoked === undefined) {
    const onward = request({ host: '127.0.0.1', port: motoPort, method: req.method, path: req.url, headers: req.headers }, (reply) => {
      res.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(res);
    });
    req.pipe(onward.on('error', () => res.writeHead(502).end()));
    return;
  }
  const [headers, body] = await invoke(functions[decodeURIComponent(invoked)], await json(req));
  res.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body ?? null));
}

/** As the Lambda service does it: what was thrown comes back with 200, told by a header. */
async function invoke(run: Functions[string] | undefined, payload: unknown): Promise<[headers: Record<string, string>, body: unknown]> {
  try {
    if (run === undefined) throw new Error('no such function');
    return [{}, await run(payload)];
  } catch (thrown) {
    const { name, message } = thrown as Error;
    return [{ 'x-amz-function-error': 'Unhandled' }, { errorType: name, errorMessage: message, trace: [] }];
  }
}

/** moto looks through all its executions, and breaks (a 500 in HTML) on one that is only just being started: then it is asked again. */
async function wokenOrDead(send: () => Promise<unknown>, tries = 10): Promise<'woken' | 'dead'> {
  try {
    await send();
    return 'woken';
  } catch (error) {
    if (error instanceof Error && ['InvalidToken', 'TaskTimedOut', 'TaskDoesNotExist'].includes(error.name)) return 'dead';
    if (tries === 0) throw error;
    await sleep(50);
    return wokenOrDead(send, tries - 1);
  }
}

async function untilUp(sfn: SFNClient, moto: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 100 && moto.exitCode === null; tries++) {
    const up = await sfn.send(new ListStateMachinesCommand({})).catch(() => undefined);
    if (up !== undefined) return;
    await sleep(150);
  }
  throw new Error('moto did not come up');
}

async function untilEnded(sfn: SFNClient, executionArn: string): Promise<string> {
  for (;;) {
    const { status } = await sfn.send(new DescribeExecutionCommand({ executionArn }));
    if (status === 'RUNNING') {
      await sleep(250);
      continue;
    }
    const { events = [] } = await sfn.send(new GetExecutionHistoryCommand({ executionArn, maxResults: 500 }));
    return `${status ?? ''}: ${events.flatMap((event) => event.stateEnteredEventDetails?.name ?? []).join(' > ')}`;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  const port = await portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function portOf(server: Server): Promise<number> {
  if (!server.listening) await new Promise((resolve) => server.once('listening', resolve));
  return (server.address() as AddressInfo).port;
}
