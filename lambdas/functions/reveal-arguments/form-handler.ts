// POST /review/{id}/reveal: the form of the full view. Answered with the page itself, since there is no address under
// which the exact arguments could be had again without asking.
import * as z from 'zod';
import type { HttpHandler } from '../../middleware/http-function.ts';
import { formFields, operationForm, type FormPorts } from '../../pages/operation-form.ts';
import { revealPage } from '../../pages/reveal-page.ts';
import { revealArguments, type RevealPorts } from './reveal-arguments.ts';

export function buildFormHandler(ports: RevealPorts & FormPorts): HttpHandler {
  return operationForm(ports, {
    schema: z.strictObject(formFields),
    use: () => 'reveal',
    refused_as: 'CS2005',
    act: async ({ caller, operation_id, request_id }) => {
      const revealed = await revealArguments(ports, caller, { operation_id, channel: 'page' }, request_id);
      if (!revealed.ok) return revealed.refusal;
      return revealPage({ operation: revealed.operation, canonical: revealed.canonical, subject: caller.subject, now: ports.clock.now() });
    },
  });
}
