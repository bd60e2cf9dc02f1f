// For `npm run mutate`: only the tests of the rooms that are mutated, with few generated examples each and without the
// slow ones, which watch the time or sweep over every cut. What these alone would notice counts as survived.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/unit/domain/json/**/*.test.ts', 'test/unit/domain/display/**/*.test.ts', 'test/unit/domain/binding.test.ts', 'test/unit/pages/full-view-*.test.ts'],
    exclude: ['**/vectors-in-python.test.ts', '**/hostile-inputs.test.ts', '**/planted-secrets.test.ts'],
    pool: 'forks',
    env: { FAST_CHECK_RUNS: '40' },
  },
});
