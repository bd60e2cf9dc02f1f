// What a person's vote says of one operation, alone or among others.
import * as z from 'zod';
import { viewSchema } from '../../domain/events.ts';
import { shownHashSchema } from '../../domain/hash-forms.ts';
import { LIMITS } from '../../domain/limits.ts';

export const voteFields = {
  arguments_hash: shownHashSchema,
  decision: z.enum(['approve', 'deny']),
  view: viewSchema.optional(),
  comment: z.string().refine((text) => Buffer.byteLength(text) <= LIMITS.comment_bytes, `holds up to ${LIMITS.comment_bytes} bytes`).optional(),
};
