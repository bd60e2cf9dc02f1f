// The same examples at every run of `npm test`, so that a change is judged and not the day's luck. `npm run test:deep`
// and FAST_CHECK_SEED look further.
import fc from 'fast-check';

if (process.env['FAST_CHECK_RUNS'] === undefined) fc.configureGlobal({ seed: Number(process.env['FAST_CHECK_SEED'] ?? 2026_11_30) });
