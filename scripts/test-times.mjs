// `npm run test:times`: where the time of the last `npm test` went, by part, by file and by test.
// Reads test-results/, prints the report and keeps it in test-results/times.txt.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const maxFiles = 25
const maxTests = 25

function readResults(folder, name) {
  const path = join(folder, name)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null
}

/**
 * Time of each test, and of each file with what is not part of a test: loading, and starting sites.
 */
function readJestTimes(results) {
  const files = []
  const tests = []
  for (const { name, startTime, endTime, assertionResults } of results?.testResults ?? []) {
    const file = relative(root, name)
    const inTests = assertionResults.reduce((sum, { duration }) => sum + (duration ?? 0), 0)
    files.push({ file, ms: endTime - startTime, inTests, count: assertionResults.length })
    for (const { fullName, duration } of assertionResults)
      tests.push({ file, name: fullName, ms: duration ?? 0 })
  }
  return { files, tests }
}

function readBrowserTimes(results) {
  const files = []
  const tests = []
  const visit = (suite, file) => {
    for (const { title, tests: runs } of suite.specs ?? [])
      for (const { results: tries } of runs)
        for (const { duration } of tries) tests.push({ file, name: title, ms: duration })
    for (const inner of suite.suites ?? []) visit(inner, file)
  }
  for (const suite of results?.suites ?? []) visit(suite, `test/browser/${suite.file}`)
  for (const file of new Set(tests.map((test) => test.file))) {
    const own = tests.filter((test) => test.file === file)
    const ms = own.reduce((sum, test) => sum + test.ms, 0)
    files.push({ file, ms, inTests: ms, count: own.length })
  }
  return { files, tests }
}

const seconds = (ms) => (ms / 1000).toFixed(1).padStart(7)
const byTime = (a, b) => b.ms - a.ms

/** The report of the results in a folder, as text. */
export function reportTimes(folder) {
  const jest = readJestTimes(readResults(folder, 'jest.json'))
  const browser = readBrowserTimes(readResults(folder, 'browser.json'))
  const parts = readResults(folder, 'parts.json') ?? []
  const table = ({ files }) =>
    [...files]
      .sort(byTime)
      .slice(0, maxFiles)
      .map(
        ({ file, ms, inTests, count }) =>
          `${seconds(ms)} s ${seconds(inTests)} s ${String(count).padStart(5)}  ${file}`,
      )
  return [
    'Parts (they overlap)',
    ...parts.map(({ name, ms }) => `${seconds(ms)} s  ${name}`),
    '',
    'Unit and integration tests by file: in all, in tests, number',
    ...table(jest),
    '',
    'Browser tests by file: in all, in tests, number',
    ...table(browser),
    '',
    'Slowest tests',
    ...[...jest.tests, ...browser.tests]
      .sort(byTime)
      .slice(0, maxTests)
      .map(({ file, name, ms }) => `${seconds(ms)} s  ${file} › ${name}`),
    '',
  ].join('\n')
}

export function writeTimes(folder) {
  const report = reportTimes(folder)
  writeFileSync(join(folder, 'times.txt'), report)
  return report
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = join(root, 'test-results')
  if (existsSync(folder)) process.stdout.write(writeTimes(folder))
  else console.error('there are no results: run npm test first')
}
