// One process, one call: prints how many microseconds the first canonical form of this process takes.

import canonicalize from 'canonicalize';
import { canonicalJson } from '../lambdas/domain/json/canonical-json.ts';
import type { JsonValue } from '../lambdas/domain/json/json-value.ts';
import { CORPORA } from './json-corpora.ts';

const value = JSON.parse(JSON.stringify(CORPORA.find(({ name }) => name === 'records 72 KB')?.value)) as JsonValue;
const start = performance.now();
const text = process.argv[2] === 'npm' ? canonicalize(value) : canonicalJson(value);
const took = (performance.now() - start) * 1000;
console.log(text === undefined ? NaN : took);
