// `npm run bench`: prints every table. Figures are minima over interleaved rounds; read the ratios, not the microseconds.

import { canonicalJsonTables } from './canonical-json.ts';
import { displayTables } from './display.ts';
import { benchPolicy } from './policy.ts';
import { printTable } from './table.ts';

console.log(`Node ${process.version}, V8 ${process.versions.v8}, ${process.platform} ${process.arch}`);
for (const table of [...canonicalJsonTables(), ...displayTables(), await benchPolicy()]) printTable(table);
