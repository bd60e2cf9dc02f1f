// npm start -- --demo: one sample refund, proposed over HTTP as an agent would, followed to its end.
import * as z from 'zod';

const AGENT = { 'X-Local-Identity': 'agent:billing-bot', 'content-type': 'application/json' };
const proposed = z.object({ operation_id: z.string(), arguments_hash: z.string(), fingerprint: z.string() });
const operation = z.object({ status: z.string(), outcome: z.unknown().optional() });
const log = z.object({ events: z.array(z.object({ type: z.string(), time: z.string(), id: z.string() })) });

export async function demonstrate(url: string, print: (line: string) => void): Promise<void> {
  const body = {
    tool: 'refund_payment',
    arguments: { customer_id: 'c-1001', amount: 120, currency: 'EUR', note: 'double charge in October' },
    scope: { workspace_id: 'w1', agent_id: 'billing-bot', run_id: 'demo' },
    reason: 'The customer was charged twice.',
  };
  const { operation_id, fingerprint } = proposed.parse(await ask(`${url}/agent/operations`, { method: 'POST', headers: AGENT, body: JSON.stringify(body) }));
  print(`\nDemo: a refund of 120 EUR waits for user:ana or user:ben (fingerprint ${fingerprint}). Review it here:\n\n  ${url}/review/${operation_id}\n`);
  const path = `${url}/agent/operations/${operation_id}`;
  for (;;) {
    const { status, outcome } = operation.parse(await ask(`${path}?wait_seconds=20`, { headers: AGENT }));
    if (['pending', 'granted', 'running'].includes(status)) continue;
    const { events } = log.parse(await ask(`${path}/events`, { headers: AGENT }));
    print(`\nDemo: the operation is ${status}. Its events:`);
    for (const event of events) print(`  ${event.time}  ${event.type}  ${event.id}`);
    print(`The tool's output: ${JSON.stringify(outcome ?? null)}\n`);
    return;
  }
}

async function ask(url: string, init: RequestInit): Promise<unknown> {
  const reply = await fetch(url, init);
  return reply.json();
}
