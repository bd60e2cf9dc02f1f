// The fields that a zod schema knows, by path: what a test that goes through all of them is held to.
import * as z from 'zod';

/** `rules.ask.risk.level`, `mcp_servers.*`: unions by the value that tells them apart, records by `*`. */
export function fieldsOf(schema: z.ZodType, path = ''): readonly string[] {
  const under = (key: string): string => (path === '' ? key : `${path}.${key}`);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) return fieldsOf(schema.unwrap() as z.ZodType, path);
  if (schema instanceof z.ZodPipe) return fieldsOf(schema.in as z.ZodType, path);
  if (schema instanceof z.ZodArray) return fieldsOf(schema.element as z.ZodType, path);
  if (schema instanceof z.ZodObject) return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([key, field]) => fieldsOf(field, under(key)));
  if (schema instanceof z.ZodRecord) return [under('*'), ...fieldsOf(schema.valueType as z.ZodType, under('*'))];
  if (schema instanceof z.ZodDiscriminatedUnion) return (schema.options as readonly z.ZodObject[]).flatMap((option) => fieldsOf(option, under(literalOf(option, schema.def.discriminator))));
  return [path];
}

function literalOf(option: z.ZodObject, discriminator: string): string {
  const field: unknown = (option.shape as Record<string, unknown>)[discriminator];
  return field instanceof z.ZodLiteral ? String([...field.values][0]) : '?';
}
