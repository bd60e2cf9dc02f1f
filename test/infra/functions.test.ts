import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../infra/routes.ts';
import { CONFIGURATION, functionOf, only, readable, resourcesOf, synthesise } from './synthesis.ts';

const template = synthesise();
const functions = Object.entries(resourcesOf(template, 'AWS::Lambda::Function')).filter(([id]) => id.startsWith('Functions'));
/** A folder a function. */
const NAMES = readdirSync(new URL('../../lambdas/functions', import.meta.url));

describe('every function', () => {
  it('that has a folder is deployed, once, and no other', () => {
    expect(functions.map(([id]) => id.replace(/[0-9A-F]{8}$/, '')).sort()).toEqual(NAMES.map((name) => `Functions${name.replaceAll('-', '')}Function`).sort());
  });

  it.each(functions)('%s runs on Node 24 and arm64 from an ES module', (_id, { Properties }) => {
    expect(Properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'], Handler: 'index.handler' });
  });

  it.each(functions)('%s writes JSON lines into a log group of its own', (id, { Properties }) => {
    expect(Properties.LoggingConfig).toMatchObject({ LogFormat: 'JSON' });
    expect(readable(Properties.LoggingConfig.LogGroup)).toBe(id.replace(/Function[0-9A-F]{8}$/, 'Log'));
  });

  it('has a time-out that its caller outlives', () => {
    const seconds = (name: Parameters<typeof functionOf>[1]): number => functionOf(template, name).Properties.Timeout as number;
    for (const route of ROUTES) expect(seconds(route.function)).toBeLessThan(30);
    expect(seconds('run-tool')).toBe(900);
    expect(seconds('settle-operation')).toBeLessThan(60);
    expect(seconds('relay-events')).toBeLessThan(60);
  });
});

describe('the log groups', () => {
  it('keep their lines for as long as the configuration says', () => {
    const groups = Object.values(resourcesOf(synthesise({ ...CONFIGURATION, log_retention_days: 365 }), 'AWS::Logs::LogGroup'));
    expect(groups).toHaveLength(NAMES.length + 2);
    for (const { Properties } of groups) expect(Properties.RetentionInDays).toBe(365);
  });
});

describe('the registry document and the policies', () => {
  it('are stored after their tables exist, whenever the function that holds them changes', () => {
    const trigger = only(template, 'Custom::Trigger') as unknown as { readonly DependsOn: readonly string[]; readonly Properties: Readonly<Record<string, unknown>> };
    expect(trigger.DependsOn.some((id) => id.startsWith('RegistryTable'))).toBe(true);
    expect(trigger.DependsOn.some((id) => id.startsWith('EventLogTable'))).toBe(true);
    expect(trigger.Properties.ExecuteOnHandlerChange).toBe(true);
    expect(readable(trigger.Properties.HandlerArn)).toMatch(/^FunctionsseedregistryFunctionCurrentVersion/);
  });
});
