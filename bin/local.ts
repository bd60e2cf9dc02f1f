// npm start: Countersign on this machine. Flags: --port, --data DIR, --demo.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { examplePolicies } from '../examples/policies.ts';
import { exampleRegistry } from '../examples/registry.ts';
import { exampleTools } from '../examples/tools/index.ts';
import { demonstrate } from '../infra/local/demo.ts';
import { eventLine, greeting } from '../infra/local/terminal.ts';
import { startRuntime } from '../infra/local/runtime.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8787' },
    data: { type: 'string', default: join(import.meta.dirname, '..', '.countersign') },
    demo: { type: 'boolean', default: false },
  },
});
const port = Number(values.port);
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  console.error(`--port: ${values.port} is not a port`);
  process.exit(2);
}

const runtime = await startRuntime({
  data_folder: values.data,
  port,
  registry: exampleRegistry,
  policies: examplePolicies,
  tools: exampleTools(values.data),
  groups_claim: { claim: 'groups', max_age_seconds: 3600 },
  onEvent: (event) => console.log(eventLine(event)),
}).catch((thrown: unknown) => {
  console.error(`Countersign did not start: ${whyNot(thrown)}`);
  process.exit(1);
});

console.log(greeting(runtime.url, values.data, runtime.waiting));

let closing = false;
const stop = (): void => {
  if (closing) return;
  closing = true;
  console.log('\nClosing. What waits goes on waiting in the data folder.');
  void runtime.close().then(() => process.exit(0));
};
process.on('SIGINT', stop);
process.on('SIGTERM', stop);

if (values.demo) await demonstrate(runtime.url, console.log);

function whyNot(thrown: unknown): string {
  const text = thrown instanceof Error ? `${thrown.message} ${thrown.cause instanceof Error ? thrown.cause.message : ''}` : String(thrown);
  if (text.includes('EADDRINUSE')) return `port ${port} is taken; choose another with --port.`;
  if (text.includes('LOCK') || text.includes('Database is not open')) return `the data folder ${values.data} is in use by another process; choose another with --data.`;
  return text;
}
