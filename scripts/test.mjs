// `npm test`: installs the browser if necessary, builds once, then runs type check, format check,
// lint, content check, and unit, integration and browser tests. `node scripts/test.mjs
// unit|integration|browser` runs one part. Exits with a non-zero code if any part fails.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureBrowser } from './browser.mjs'
import { prepareTests } from './prepare-tests.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const resultsFolder = join(root, 'test-results')
const jestResults = join(resultsFolder, 'jest.json')
const browserResults = join(resultsFolder, 'browser.json')
const bin = (name) => join(root, 'node_modules', '.bin', name)
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))

/**
 * Runs a part and resolves to whether it succeeded. With `buffered`, its output is printed when it
 * ends, so that the outputs of parallel parts do not mix.
 */
function runPart(name, command, args, { buffered = false, env = {} } = {}) {
  return new Promise((done) => {
    const startedAt = Date.now()
    const child = spawn(command, args, {
      cwd: root,
      stdio: buffered ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env },
    })
    const output = []
    child.stdout?.on('data', (chunk) => output.push(chunk))
    child.stderr?.on('data', (chunk) => output.push(chunk))
    child.on('error', (error) => output.push(Buffer.from(`${error.message}\n`)))
    child.on('close', (code) => {
      if (output.length > 0) process.stdout.write(Buffer.concat(output))
      const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`)
      done(code === 0)
    })
  })
}

async function runLint() {
  const isLintOk = await runPart('lint', bin('eslint'), ['.'], { buffered: true })
  const folders = ['client', 'server', 'shared', 'scripts', 'test', 'testing', 'bench']
  const isDirectionOk = await runPart(
    'import direction',
    bin('depcruise'),
    [...folders, '--config', '.dependency-cruiser.cjs'],
    { buffered: true },
  )
  return isLintOk && isDirectionOk
}

async function runChecks() {
  const prettierArgs = ['--check', '--log-level', 'warn', '.']
  const contentArgs = [join(root, 'scripts', 'content.mjs'), '--check']
  return [
    ...(await Promise.all([
      runPart('types', bin('tsc'), ['--noEmit'], { buffered: true }),
      runPart('format', bin('prettier'), prettierArgs, { buffered: true }),
      runLint(),
    ])),
    await runPart('content', process.execPath, contentArgs, { buffered: true }),
  ]
}

const runJest = (...projects) =>
  runPart(`tests: ${projects.join(', ')}`, bin('jest'), [
    '--selectProjects',
    ...projects,
    '--json',
    `--outputFile=${jestResults}`,
  ])

async function runBrowserTests() {
  try {
    const env = { CHROMIUM_PATH: ensureBrowser(root) }
    return await runPart('tests: browser', bin('playwright'), ['test'], { env })
  } catch (error) {
    console.error(error.message)
    return false
  }
}

const count = { passed: 0, failed: 0 }
function countJest() {
  const { numPassedTests, numFailedTests, numFailedTestSuites } = readJson(jestResults)
  count.passed += numPassedTests
  count.failed += numFailedTests || numFailedTestSuites
}
function countBrowser() {
  try {
    const { stats } = readJson(browserResults)
    count.passed += stats.expected
    count.failed += stats.unexpected + stats.flaky
  } catch {
    // Without a result file, the run itself failed.
    count.failed += 1
  }
}

const only = process.argv[2]
mkdirSync(resultsFolder, { recursive: true })
Object.assign(process.env, prepareTests(root, join(resultsFolder, 'content')))
const outcomes = only ? [] : await runChecks()
if (!only || only === 'unit' || only === 'integration') {
  outcomes.push(await runJest(...(only ? [only] : ['unit', 'integration'])))
  countJest()
}
if (!only || only === 'browser') {
  outcomes.push(await runBrowserTests())
  countBrowser()
}
console.log(`\ntests: ${count.passed} passed, ${count.failed} failed`)
process.exitCode = outcomes.every(Boolean) ? 0 : 1
