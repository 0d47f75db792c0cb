// `npm test`: installs the browser if necessary and builds once. Then it runs the unit, integration
// and browser tests. Meanwhile it checks types, format, lint, texts, conformance and content.
// `node scripts/test.mjs unit|integration|browser [FILE …]` runs one part, or some of its files;
// further arguments are passed to jest or Playwright. Exits with a non-zero code if any part fails
// or no test ran. Where the time went: `npm run test:times`.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureTestBrowser } from './browser.mjs'
import { preparation, prepareTests } from './prepare-tests.mjs'
import { writeTimes } from './test-times.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const resultsFolder = join(root, 'test-results')
const jestResults = join(resultsFolder, 'jest.json')
const browserResults = join(resultsFolder, 'browser.json')
const partTimes = join(resultsFolder, 'parts.json')
const seedFolder = join(resultsFolder, 'content')
const bin = (name) => join(root, 'node_modules', '.bin', name)
/**
 * The priority (`nice`) of the checks beside the tests, which have 0. With 19, the lowest, lint got
 * 9 s of processor time in half an hour on a busy machine.
 */
const priorityOfChecks = 5
const parts = []
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))

/**
 * Runs a part and resolves to whether it succeeded. A `buffered` part runs beside the tests, with a
 * lower priority than theirs. Its output is printed when it ends.
 */
function runPart(name, command, args, { buffered = false, env = {} } = {}) {
  return new Promise((done) => {
    const startedAt = Date.now()
    const child = spawn(command, args, {
      cwd: root,
      stdio: buffered ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env },
    })
    if (buffered && child.pid) setPriority(child.pid, priorityOfChecks)
    const output = []
    child.stdout?.on('data', (chunk) => output.push(chunk))
    child.stderr?.on('data', (chunk) => output.push(chunk))
    child.on('error', (error) => output.push(Buffer.from(`${error.message}\n`)))
    child.on('close', (code) => {
      if (output.length > 0) process.stdout.write(Buffer.concat(output))
      const ms = Date.now() - startedAt
      parts.push({ name, ms })
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${(ms / 1000).toFixed(1)} s)`)
      done(code === 0)
    })
  })
}

async function runLint() {
  // A larger space for new objects: 11 % less processor time, because it is collected less often.
  const eslint = join(root, 'node_modules', 'eslint', 'bin', 'eslint.js')
  const eslintArgs = ['--max-semi-space-size=64', eslint, '.']
  const isLintOk = await runPart('lint', process.execPath, eslintArgs, { buffered: true })
  const folders = ['client', 'server', 'shared', 'scripts', 'test', 'testing', 'bench']
  const isDirectionOk = await runPart(
    'import direction',
    bin('depcruise'),
    [...folders, '--config', '.dependency-cruiser.cjs'],
    { buffered: true },
  )
  return isLintOk && isDirectionOk
}

/** The English texts: words to avoid, and spelling. */
async function runCopyChecks() {
  const isStyleOk = await runPart('style', bin('tsx'), [join(root, 'scripts', 'check-copy.ts')], {
    buffered: true,
  })
  const spellingArgs = ['lint', '--no-progress', '--no-summary', '--gitignore']
  const isSpellingOk = await runPart('spelling', bin('cspell'), spellingArgs, { buffered: true })
  return isStyleOk && isSpellingOk
}

/** Two at a time, the longest first: more would only compete for memory. */
async function runChecks() {
  const prettierArgs = ['--check', '--log-level', 'warn', '.']
  const typesArgs = [join(root, 'scripts', 'check-types.mjs')]
  const tsx = join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs')
  const conformanceArgs = [tsx, join(root, 'scripts', 'conformance.ts')]
  const runInTurn = async (...checks) => {
    const outcomes = []
    for (const check of checks) outcomes.push(await check())
    return outcomes
  }
  const buffered = { buffered: true }
  return (
    await Promise.all([
      runInTurn(runLint, runCopyChecks),
      runInTurn(
        () => runPart('types', process.execPath, typesArgs, buffered),
        () => runPart('format', bin('prettier'), prettierArgs, buffered),
        () => runPart('conformance', process.execPath, conformanceArgs, buffered),
      ),
    ])
  ).flat()
}

/** When the build fails, the checks beside it still print what they found. */
async function prepare() {
  rmSync(seedFolder, { recursive: true, force: true })
  const { command, args, env } = preparation(root, seedFolder)
  const isBuilt = await runPart('build', command, args, { env })
  if (isBuilt) Object.assign(process.env, prepareTests(root, seedFolder, true))
  return isBuilt
}

/** Takes half a second, because `prepare` has compiled the content. */
const runContentCheck = () =>
  runPart('content', process.execPath, [join(root, 'scripts', 'content.mjs'), '--check'])

const runJest = (...projects) =>
  runPart(`tests: ${projects.join(', ')}`, bin('jest'), [
    '--selectProjects',
    ...projects,
    '--json',
    `--outputFile=${jestResults}`,
    ...testArgs,
  ])

async function runBrowserTests() {
  try {
    const env = { CHROMIUM_PATH: ensureTestBrowser(root) }
    return await runPart('tests: browser', bin('playwright'), ['test', ...testArgs], { env })
  } catch (error) {
    console.error(error.message)
    return false
  }
}

const count = { passed: 0, failed: 0, skipped: 0 }
/** Without a result file, the run itself failed. */
function countResults(path, add) {
  if (existsSync(path)) add(readJson(path))
  else count.failed += 1
}
function countJest(results) {
  count.passed += results.numPassedTests
  count.failed += results.numFailedTests || results.numFailedTestSuites
  count.skipped += results.numPendingTests + results.numTodoTests
}
function countBrowser({ stats }) {
  count.passed += stats.expected
  count.failed += stats.unexpected + stats.flaky
  count.skipped += stats.skipped
}

const [only, ...testArgs] = process.argv.slice(2)
if (only !== undefined && !['unit', 'integration', 'browser'].includes(only)) {
  console.error('usage: node scripts/test.mjs [unit|integration|browser [FILE …]]')
  process.exit(1)
}
mkdirSync(resultsFolder, { recursive: true })
for (const file of [jestResults, browserResults, partTimes]) rmSync(file, { force: true })
// The first checks begin beside the build.
const checks = only ? [] : runChecks()
const isPrepared = await prepare()
const isRunOf = (...names) => isPrepared && (!only || names.includes(only))
const outcomes = [isPrepared]
if (isPrepared && !only) outcomes.push(await runContentCheck())
if (isRunOf('unit', 'integration')) {
  outcomes.push(await runJest(...(only ? [only] : ['unit', 'integration'])))
  countResults(jestResults, countJest)
}
if (isRunOf('browser')) {
  outcomes.push(await runBrowserTests())
  countResults(browserResults, countBrowser)
}
outcomes.push(...(await checks))
writeFileSync(partTimes, JSON.stringify(parts))
writeTimes(resultsFolder)
console.log(`\ntests: ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`)
process.exitCode = outcomes.every(Boolean) && count.passed > 0 ? 0 : 1
