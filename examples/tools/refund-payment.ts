// Pays money back: here it appends one line to a ledger file, and a line too many would be a refund too many.
import { appendFile } from 'node:fs/promises';

interface Refund {
  readonly customer_id: string;
  readonly amount: number;
  readonly currency: string;
}

export function refundPayment(ledger_file: string) {
  return async ({ operation_id, arguments: refund }: { readonly operation_id: string; readonly arguments: unknown }) => {
    const { customer_id, amount, currency } = refund as Refund;
    await appendFile(ledger_file, `${JSON.stringify({ operation_id, customer_id, amount, currency })}\n`);
    return { refunded: { customer_id, amount, currency } };
  };
}
