import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProduct, type Product } from '../support/local-product.ts';

const CANARY = 'Zq7CANARYxK9w4';
const carriers = {
  password: CANARY,
  headers: { Authorization: `Bearer ${CANARY}` },
  url: `https://ana:${CANARY}@example.org/?token=${CANARY}`,
  argv: ['--token', CANARY],
  nested: JSON.stringify({ api_key: CANARY }),
};

describe('a secret planted in arguments', () => {
  let product: Product;
  const seen: string[] = [];
  let toolSaw = '';
  beforeAll(async () => {
    product = await startProduct({
      tools: {
        run_command: async (event) => {
          toolSaw = JSON.stringify(event);
          return { said: 'ok' };
        },
      },
    });
  });
  afterAll(() => product.close());

  it('reaches the tool and nothing else that anybody reads', async () => {
    const { json: proposed, text } = await product.propose('run_command', { command: 'deploy', ...carriers }, { reason: 'rollout' });
    seen.push(text);
    const { operation_id } = proposed;
    const look = async (): Promise<void> => {
      for (const [path, as] of [[`/agent/operations/${operation_id}`, 'agent:billing-bot'], [`/api/operations/${operation_id}`, 'user:ana'], [`/api/operations/${operation_id}/events`, 'user:ana'], ['/api/inbox', 'user:ana'], ['/inbox', 'user:ana'], [`/review/${operation_id}`, 'user:ana']] as const)
        seen.push((await product.call('GET', path, { as })).text);
    };
    await new Promise((resolve) => setTimeout(resolve, 500));
    await look();
    seen.push((await product.decide(proposed, 'approve')).text);
    await product.until(operation_id, 'completed');
    await look();
    expect(toolSaw).toContain(CANARY);
    seen.push(JSON.stringify(product.published), readFileSync(join(product.data_folder, 'log.jsonl'), 'utf8'));
    expect(seen.join('\n')).toContain(operation_id);
    for (const text of seen) expect(text).not.toContain(CANARY);
  });

  it('is not in a problem document either, nor in the log that tells of it', async () => {
    const refused = await product.call('POST', '/agent/operations', { raw: `{"tool":"run_command","arguments":{"password":"${CANARY}","password":"x"},"scope":{"workspace_id":"w1","agent_id":"billing-bot"}}` });
    expect(refused).toMatchObject({ status: 422, json: { code: 'arguments_not_canonical', pointer: '/arguments/password' } });
    expect(refused.text).not.toContain(CANARY);
    expect(readFileSync(join(product.data_folder, 'log.jsonl'), 'utf8')).not.toContain(CANARY);
  });
});
