import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startProduct, withRule, withTool } from '../support/local-product.ts';

const refund = { customer_id: 'c', amount: 1, currency: 'EUR' };
const asking = (timeout_seconds: number) => withRule('w1', 'refunds', { timeout_seconds });

describe('time', () => {
  it('expires a call that nobody decides, and refuses the vote that comes after', async () => {
    const product = await startProduct({ policies: asking(1) });
    const { json: proposed } = await product.propose('refund_payment', refund);
    const expired = await product.until(proposed.operation_id, 'expired');
    expect(Date.parse(expired.changed_at) - Date.parse(proposed.expires_at)).toBeGreaterThanOrEqual(0);
    expect(await product.decide(proposed, 'approve')).toMatchObject({ status: 410, json: { code: 'operation_expired' } });
    expect(await product.types(proposed.operation_id)).toEqual(['approval.requested', 'approval.expired']);
    expect(product.ledger()).toEqual([]);
    await product.close();
  });

  it('ends a run without an answer as unknown, and never starts it again', async () => {
    const product = await startProduct({ registry: withTool('slow_report', { timeout_seconds: 1 }) });
    const { json: proposed } = await product.propose('slow_report', { seconds: 30 });
    await product.decide(proposed, 'approve');
    await product.until(proposed.operation_id, 'unknown');
    expect(await product.types(proposed.operation_id)).toEqual(['approval.requested', 'approval.granted', 'tool.started', 'tool.outcome_unknown']);
    await product.close();
  });
});

describe('a restart', () => {
  it('lets what waited go on waiting, and runs it once when it is approved', async () => {
    const first = await startProduct();
    const { json: proposed } = await first.propose('refund_payment', refund);
    await first.close();
    const second = await startProduct({ data_folder: first.data_folder });
    expect((await second.call('GET', '/api/inbox', { as: 'user:ana' })).text).toContain(proposed.operation_id);
    await second.decide(proposed, 'approve');
    await second.until(proposed.operation_id, 'completed');
    expect(second.ledger()).toHaveLength(1);
    await second.close();
  });

  it('closes what expired while nothing ran', async () => {
    const first = await startProduct({ policies: asking(1) });
    const { json: proposed } = await first.propose('refund_payment', refund);
    await first.close();
    await new Promise((resolve) => setTimeout(resolve, 1200));
    const second = await startProduct({ data_folder: first.data_folder });
    await second.until(proposed.operation_id, 'expired');
    await second.close();
  });

  it('survives kill -9 with twenty waiting: each runs once when approved', async () => {
    const data_folder = mkdtempSync(join(tmpdir(), 'countersign-kill-'));
    const port = 20_000 + (process.pid % 10_000);
    const child = spawn(process.execPath, [join(import.meta.dirname, '../../bin/local.ts'), '--port', String(port), '--data', data_folder], { stdio: 'ignore' });
    const url = `http://127.0.0.1:${port}`;
    for (let tries = 0; tries < 100 && !(await fetch(`${url}/sign-in`).then((reply) => reply.ok, () => false)); tries += 1) await new Promise((resolve) => setTimeout(resolve, 100));
    const propose = async (index: number) => {
      const body = { tool: 'refund_payment', arguments: { ...refund, customer_id: `k${index}` }, scope: { workspace_id: 'w1', agent_id: 'billing-bot' } };
      const reply = await fetch(`${url}/agent/operations`, { method: 'POST', headers: { 'content-type': 'application/json', 'x-local-identity': 'agent:billing-bot' }, body: JSON.stringify(body) });
      return (await reply.json()) as { operation_id: string; arguments_hash: string };
    };
    const proposed = await Promise.all(Array.from({ length: 20 }, (_, index) => propose(index)));
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    const product = await startProduct({ data_folder });
    for (const operation of proposed) expect((await product.decide(operation, 'approve')).status).toBe(200);
    for (const { operation_id } of proposed) await product.until(operation_id, 'completed');
    expect(product.ledger()).toHaveLength(20);
    await product.close();
  });
});

describe('npm start', () => {
  it('refuses a port that is none, and says so', () => {
    const run = () => execFileSync(process.execPath, [join(import.meta.dirname, '../../bin/local.ts'), '--port', 'http'], { stdio: 'pipe' });
    expect(run).toThrow(/--port/);
  });
});
