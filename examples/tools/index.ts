// The example tools that `npm start` loads, by the names that examples/registry.ts gives as their executors.
import { setTimeout } from 'node:timers/promises';
import { join } from 'node:path';
import { refundPayment } from './refund-payment.ts';

interface ToolEvent {
  readonly operation_id: string;
  readonly arguments: unknown;
}

export function exampleTools(data_folder: string): Record<string, (event: ToolEvent) => Promise<unknown>> {
  return {
    refund_payment: refundPayment(join(data_folder, 'ledger.jsonl')),
    send_email: async ({ arguments: mail }) => ({ accepted: (mail as { to: unknown }).to }),
    read_customer: async ({ arguments: asked }) => ({ customer_id: (asked as { customer_id: unknown }).customer_id, name: 'Erika Mustermann', plan: 'basic' }),
    slow_report: async ({ arguments: asked }) => {
      const { seconds } = asked as { seconds: number };
      await setTimeout(seconds * 1000);
      return { report: `took ${seconds} s` };
    },
    fail_always: async () => {
      throw new Error('this tool always fails');
    },
    set_card_pin: async ({ arguments: card }) => ({ set: (card as { card_id: unknown }).card_id }),
    web_search: async ({ arguments: asked }) => ({ query: (asked as { query: unknown }).query, results: [] }),
    /** Runs nothing: it shows what an approved command would have been. */
    run_command: async ({ arguments: command }) => ({ echo: command }),
  };
}
