// `npm run test:mutation`: changes code that consists of rules in small ways and counts the changes
// that no unit test notices: `server/url`, `shared/routes`, `shared/i18n`, the envelope and the
// event queue of the browser. `npm run test:mutation -- --mutate 'server/url/*.ts'` does one
// folder. Exits with 1 when fewer than 90 % are noticed.
/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  testRunner: 'jest',
  jest: { projectType: 'custom', configFile: 'jest-mutation.config.cjs' },
  coverageAnalysis: 'perTest',
  mutate: [
    'server/url/*.ts',
    'shared/routes/*.ts',
    'shared/i18n/*.ts',
    '!shared/i18n/generated-namespaces.ts',
    'shared/envelope.ts',
    'client/analytics/{batch-delivery,event-batches,event-queue,event-sender,event-storage}.ts',
  ],
  ignorePatterns: [
    'dist',
    'data',
    'test-results',
    'test/browser',
    'test/integration',
    'docs/images',
  ],
  disableTypeChecks: false,
  thresholds: { high: 95, low: 90, break: 90 },
  // A constant is evaluated once, before any test, so each of its mutants would need its own
  // process.
  ignoreStatic: true,
  concurrency: 2,
  reporters: ['clear-text', 'json'],
  clearTextReporter: { allowColor: false, reportTests: false, logTests: false },
  jsonReporter: { fileName: 'test-results/mutation.json' },
  tempDirName: 'test-results/mutation',
  allowEmpty: true,
}
