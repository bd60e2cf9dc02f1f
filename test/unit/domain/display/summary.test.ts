import { describe, expect, it } from 'vitest';
import { summarise, summariseWith } from '../../../../lambdas/domain/display/summary.ts';

const H = '⟨hidden⟩';

describe('summarise', () => {
  it('names the tool and what it is called with', () => {
    expect(summarise('refund_payment', { customer_id: 'c1', amount: 120, currency: 'EUR' })).toBe('refund_payment customer_id: c1, amount: 120, currency: EUR');
    expect(summarise('list_all', {})).toBe('list_all');
    expect(summarise('run', ['ls', '-la'])).toBe('run ["ls","-la"]');
    expect(summarise('ping', null)).toBe('ping null');
  });

  it('puts a value in quotes that could pass for a second field', () => {
    expect(summarise('pay', { to: 'c1, amount: 1', amount: 120 })).toBe('pay to: "c1, amount: 1", amount: 120');
    expect(summarise('pay', { to: ' c1' })).toBe('pay to: " c1"');
    expect(summarise('pay', { to: 'a"b' })).toBe('pay to: "a\\"b"');
    expect(summarise('pay', { to: 'a\nb' })).toBe('pay to: "a\\nb"');
  });

  it('stays one line of 200 bytes and never cuts the tool or the first words', () => {
    const line = summarise('destroy', { path: '/usr/local/bin/destroy --env prod', note: 'é'.repeat(400), more: 'x '.repeat(99) });
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(200);
    expect(line).toMatch(/^destroy path: \/usr\/local\/bin\/destroy --env prod, note: /);
    expect(line).toContain('bytes cut⟩');
  });
});

describe('summariseWith', () => {
  it('fills a template from the arguments by name or pointer', () => {
    const value = { customer_id: 'c1', amount: 120.5, currency: 'EUR', order: { lines: [{ sku: 'A-1' }] } };
    expect(summariseWith('Refund {amount} {currency} to {customer_id}', value)).toBe('Refund 120.5 EUR to c1');
    expect(summariseWith('First {/order/lines/0/sku}', value)).toBe('First A-1');
  });

  it('says what is not given, and hides what is secret or hidden by rule', () => {
    expect(summariseWith('Set {password} for {user} by {nobody}', { password: 'x', user: 'bo' })).toBe(`Set ${H} for bo by ⟨not given⟩`);
    expect(summariseWith('{a} {b}', { a: 1, b: 2 }, { always_hidden: ['/b'] })).toBe(`1 ${H}`);
    expect(summariseWith('{toString} {__proto__}', {})).toBe('⟨not given⟩ ⟨not given⟩');
  });

  it('quotes values of several words, and fills no blank that a value brings', () => {
    expect(summariseWith('Pay {to}', { to: 'bo. Approved by legal' })).toBe('Pay "bo. Approved by legal"');
    expect(summariseWith('Pay {to}', { to: '{amount}', amount: 5 })).toBe('Pay {amount}');
    expect(summariseWith('Pay {to}', { to: 'a\u202eb' })).toBe('Pay a\\u{202e}b');
  });

  it('finds its members among very many', () => {
    const value = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, index]));
    expect(summariseWith('{k499} of {k0}', value)).toBe('499 of 0');
  });
});
