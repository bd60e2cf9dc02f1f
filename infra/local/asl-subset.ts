// What the local engine does as AWS does it, as a schema. Any other field or value is refused by state and name, for the engine
// accepts it and then ignores it (heartbeats, JSONata, Assign) or does something else (`ResultPath: "$"`, `IsPresent: false`,
// comparisons of two types, States.TaskFailed after a time-out, pauses beyond its timers).
import { z } from 'zod';

/** The largest TimeoutSeconds and Wait that Step Functions takes, and its default for a task without a time-out. */
export const LONGEST_SECONDS = 99_999_999;
/** The engine hands seconds to setTimeout, which fires at once beyond 2^31-1 ms. */
export const LONGEST_ENGINE_SECONDS = 2_147_483;
export const RESOURCES = { call: 'arn:aws:states:::lambda:invoke', token: 'arn:aws:states:::lambda:invoke.waitForTaskToken' } as const;

const CONTEXT_PATHS = new Set(['Execution.Id', 'Execution.Name', 'Execution.StartTime', 'State.Name', 'State.EnteredTime', 'State.RetryCount', 'Task.Token']);

const seconds = z.int().min(1).max(LONGEST_SECONDS);
const path = z.string().regex(/^\$(\.[A-Za-z_]\w*)+$/, 'only plain paths such as $.wait.timeout_seconds');
const errorName = z.string().refine((name) => name !== 'States.TaskFailed', 'States.TaskFailed would match time-outs too');
const every = { Comment: z.string().optional(), QueryLanguage: z.literal('JSONPath').optional() };
const onward = { Next: z.string().optional(), End: z.literal(true).optional() };

const retrier = z
  .strictObject({
    Comment: z.string().optional(),
    ErrorEquals: z.array(errorName).min(1),
    IntervalSeconds: seconds.default(1),
    MaxAttempts: z.int().min(0).default(3),
    BackoffRate: z.number().min(1).default(2),
    MaxDelaySeconds: seconds.optional(),
    JitterStrategy: z.enum(['FULL', 'NONE']).optional(),
  })
  .refine((r) => Math.min(r.IntervalSeconds * r.BackoffRate ** Math.max(0, r.MaxAttempts - 1), r.MaxDelaySeconds ?? Infinity) <= LONGEST_ENGINE_SECONDS, {
    path: ['MaxDelaySeconds'],
    error: 'the pauses outgrow the timers of the engine',
  });

const catcher = z.strictObject({ Comment: z.string().optional(), ErrorEquals: z.array(errorName).min(1), ResultPath: path.nullish(), Next: z.string() });

const taskState = z
  .strictObject({
    ...every,
    ...onward,
    Type: z.literal('Task'),
    Resource: z.enum(RESOURCES),
    Parameters: z.strictObject({ FunctionName: z.string(), Payload: z.record(z.string(), z.unknown()) }),
    ResultSelector: z.record(z.string(), z.unknown()).optional(),
    ResultPath: path.nullish(),
    TimeoutSeconds: seconds.optional(),
    TimeoutSecondsPath: path.optional(),
    Retry: z.array(retrier).optional(),
    Catch: z.array(catcher).optional(),
  })
  .refine((s) => s.Resource === RESOURCES.token || !JSON.stringify(s).includes('$$.Task'), { path: ['Parameters'], error: 'only a waitForTaskToken task has a token' });

const waitState = z
  .strictObject({ ...every, ...onward, Type: z.literal('Wait'), Seconds: z.int().min(0).max(LONGEST_SECONDS).optional(), SecondsPath: path.optional() })
  .refine((s) => (s.Seconds === undefined) !== (s.SecondsPath === undefined), { path: ['Seconds'], error: 'one of Seconds and SecondsPath' });

const condition = z.strictObject({
  Comment: z.string().optional(),
  Variable: path.optional(),
  StringEquals: z.string().optional(),
  IsPresent: z.literal(true).optional(),
  get And() {
    return z.array(condition).optional();
  },
  get Or() {
    return z.array(condition).optional();
  },
  get Not() {
    return condition.optional();
  },
});

const choiceState = z.strictObject({ ...every, Type: z.literal('Choice'), Choices: z.array(condition.extend({ Next: z.string() })), Default: z.string().optional() });
const succeedState = z.strictObject({ ...every, Type: z.literal('Succeed') });
const failState = z.strictObject({ ...every, Type: z.literal('Fail'), Error: z.string().optional(), Cause: z.string().optional() });
const state = z.discriminatedUnion('Type', [taskState, waitState, choiceState, succeedState, failState]);

const machine = z.strictObject({ ...every, Version: z.string().optional(), StartAt: z.string(), States: z.record(z.string(), state) });

export type Machine = z.infer<typeof machine>;
export type State = z.infer<typeof state>;

/** The definition, or every state and field in the way, one line each. */
export function readSubset(plain: unknown, functionNames: readonly string[]): { readonly machine?: Machine; readonly problems: readonly string[] } {
  const parsed = machine.safeParse(plain);
  if (!parsed.success) return { problems: parsed.error.issues.map(describeIssue) };
  const known = new Set(functionNames.map((name) => `\${${name}}`));
  return { machine: parsed.data, problems: Object.entries(parsed.data.States).flatMap(([name, s]) => strangers(name, s, known)) };
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const [root, name, ...field] = issue.path.map(String);
  const inState = root === 'States' && name !== undefined;
  const where = inState ? field : issue.path.map(String);
  const fields = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...where, key].join('.')) : [where.join('.')];
  const what = issue.code === 'unrecognized_keys' ? 'not supported' : issue.message;
  return `${inState ? `state ${name}` : 'the machine'}, ${fields.join(', ')}: ${what}`;
}

/** Names that stand for something only where it is given: functions, other substitutions, paths of the context object. */
function strangers(name: string, s: State, functions: ReadonlySet<string>): string[] {
  const text = JSON.stringify(s);
  const paths = [...text.matchAll(/\$\$\.?([\w.]*)/g)].filter((match) => !CONTEXT_PATHS.has(match[1] ?? ''));
  const substitutions = [...text.matchAll(/\$\{\w+\}/g)].filter((match) => !functions.has(match[0]));
  const missing = s.Type === 'Task' && !functions.has(s.Parameters.FunctionName) ? [`state ${name}, Parameters.FunctionName: no such function`] : [];
  return [...missing, ...[...paths, ...substitutions].map((match) => `state ${name}, ${match[0]}: nothing to put there`)];
}
