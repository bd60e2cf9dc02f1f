// What `npm start` prints.
import { visibleText } from '../../lambdas/domain/display/visible-text.ts';
import type { LoggedEvent } from '../../lambdas/ports/event-log.ts';

export function greeting(url: string, data_folder: string, waiting: number): string {
  const still = waiting === 0 ? '' : `\n${waiting} operation${waiting === 1 ? '' : 's'} of an earlier start still open; waiting goes on.\n`;
  return `Countersign listens on ${url}  (data: ${data_folder}, Ctrl-C ends it)
${still}
Propose a call as an agent; policy asks for it:

  curl -s ${url}/agent/operations -H 'X-Local-Identity: agent:billing-bot' -H 'content-type: application/json' \\
    -d '{"tool":"refund_payment","arguments":{"customer_id":"c-1","amount":120,"currency":"EUR"},"scope":{"workspace_id":"w1","agent_id":"billing-bot"}}'

See it in the inbox of an approver, and decide with the hash that is shown:

  curl -s ${url}/api/inbox -H 'X-Local-Identity: user:ana'
  curl -s ${url}/api/operations/OPERATION_ID/decisions -H 'X-Local-Identity: user:ana' -H 'content-type: application/json' \\
    -d '{"arguments_hash":"ARGUMENTS_HASH","decision":"approve"}'

Read what came of it:

  curl -s ${url}/agent/operations/OPERATION_ID?wait_seconds=5 -H 'X-Local-Identity: agent:billing-bot'

Or decide in a browser:  ${url}/inbox

Events, as they are published:`;
}

export function eventLine({ time, type, subject, data }: LoggedEvent): string {
  const { operation } = data as { readonly operation?: { readonly tool?: string } };
  const tool = operation?.tool === undefined ? '' : ` ${visibleText(operation.tool)}`;
  return `  ${time.slice(11, 23)}  ${type.padEnd(22)} ${subject} #${data.sequence}${tool}`;
}
