import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// `npm run test:mutation` makes small changes in code that consists of rules (`server/url`,
// `shared/routes`, `shared/i18n`, the envelope, the browser's event queue) and counts those that
// fail a unit test. Exits with 1 when that is less than 90 %. For one folder:
// `npm run test:mutation -- --mutate 'server/url/*.ts'`.

// Stryker also kills the processes that delete the temporary folders of killed tests.
process.env.TMPDIR = mkdtempSync(join(tmpdir(), 'site-mutation-'))
process.on('exit', () => rmSync(process.env.TMPDIR, { recursive: true, force: true }))

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
