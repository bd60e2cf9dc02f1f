// Imports go one way: domain ← ports ← record, execution ← functions / adapters ← lambda.ts, infra/local, bin.
const only = (from, allowed, comment) => ({
  name: `${from.replaceAll('/', '-')}-imports`,
  comment,
  severity: 'error',
  from: { path: `^${from}/` },
  to: { path: '^(bin|infra|lambdas|examples|test|bench|clients)/', pathNot: [`^${from}/`, ...allowed.map((each) => `^${each}`)] },
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } } },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    only('lambdas/domain', [], 'rules know no port, no adapter and no cloud'),
    only('lambdas/ports', ['lambdas/domain/', 'lambdas/observability/log-catalogue.ts'], 'ports speak the domain’s words'),
    only('lambdas/record', ['lambdas/domain/', 'lambdas/ports/'], 'the one door to the log needs rules and ports'),
    only('lambdas/execution', ['lambdas/domain/', 'lambdas/ports/'], 'waking and starting need rules and ports'),
    only('lambdas/judging', ['lambdas/domain/', 'lambdas/ports/'], 'asking policy needs rules and ports'),
    only('lambdas/observability', ['lambdas/ports/'], 'the log knows its catalogue'),
    only('lambdas/middleware', ['lambdas/domain/', 'lambdas/ports/'], 'the HTTP frame is told what to ask by ports'),
    only('lambdas/pages', ['lambdas/domain/', 'lambdas/ports/', 'lambdas/middleware/'], 'pages show what the domain describes'),
    only('lambdas/adapters', ['lambdas/domain/', 'lambdas/ports/'], 'an adapter makes ports real'),
    only('infra/constructs', ['infra/', 'statemachines/'], 'constructs point at code by path and import none of it'),
    {
      name: 'adapter-families-apart',
      severity: 'error',
      from: { path: '^lambdas/adapters/([^/]+)/' },
      to: { path: '^lambdas/adapters/', pathNot: '^lambdas/adapters/$1/' },
    },
    {
      name: 'functions-apart',
      comment: 'a function never imports another function',
      severity: 'error',
      from: { path: '^lambdas/functions/([^/]+)/' },
      to: { path: '^lambdas/functions/', pathNot: '^lambdas/functions/$1/' },
    },
    {
      name: 'only-cold-starts-touch-adapters',
      severity: 'error',
      from: { path: '^lambdas/functions/', pathNot: '/lambda\\.ts$' },
      to: { path: '^lambdas/(adapters|observability/powertools)' },
    },
    {
      name: 'rules-without-a-cloud',
      comment: 'domain files know no AWS, HTTP, clock, environment or logger; hashing and host names are pure',
      severity: 'error',
      from: { path: '^lambdas/domain/' },
      to: { dependencyTypes: ['npm', 'npm-dev', 'core'], pathNot: ['node_modules/zod', '^(node:)?(crypto|url|buffer)$'] },
    },
    { name: 'nothing-imports-tests', severity: 'error', from: { pathNot: '^test/' }, to: { path: '^test/' } },
    { name: 'dev-dependencies-stay-home', severity: 'error', from: { path: '^lambdas/' }, to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: '@types/' } },
    {
      name: 'no-rooms-without-a-name',
      severity: 'error',
      from: {},
      to: { path: '/(utils|common|shared|helpers|core|services|lib|types)/', pathNot: 'node_modules' },
    },
  ],
  options: {
    tsConfig: { fileName: require('node:path').join(__dirname, 'tsconfig.json') },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(cdk\\.out|test/architecture/planted)/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
