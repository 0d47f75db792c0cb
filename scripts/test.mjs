// `npm test`: installs what is missing, the browser included, builds once, then type check, lint, unit, integration and
// browser tests. `node scripts/test.mjs unit|integration|browser` runs one part. Exits non-zero when any part fails.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureBrowser } from './browser.mjs'
import { prepareTests } from './prepare-tests.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const results = join(root, 'test-results')
const bin = (name) => join(root, 'node_modules', '.bin', name)

mkdirSync(results, { recursive: true })

/** Runs a part; with `quiet` its output is shown at its end, so that parallel parts don't mix. */
function part(name, command, args, { quiet = false, env = {} } = {}) {
  return new Promise((done) => {
    const started = Date.now()
    const child = spawn(command, args, {
      cwd: root,
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env },
    })
    const output = []
    child.stdout?.on('data', (chunk) => output.push(chunk))
    child.stderr?.on('data', (chunk) => output.push(chunk))
    child.on('error', (error) => output.push(Buffer.from(`${error.message}\n`)))
    child.on('close', (code) => {
      if (output.length > 0) process.stdout.write(Buffer.concat(output))
      console.log(
        `${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`,
      )
      done(code === 0)
    })
  })
}

const jestResults = join(results, 'jest.json')
const jest = (...projects) =>
  part(`tests: ${projects.join(', ')}`, bin('jest'), [
    '--selectProjects',
    ...projects,
    '--json',
    `--outputFile=${jestResults}`,
  ])
const browser = () => {
  let path
  try {
    path = ensureBrowser(root)
  } catch (error) {
    console.error(error.message)
    return Promise.resolve(false)
  }
  return part('tests: browser', bin('playwright'), ['test'], { env: { CHROMIUM_PATH: path } })
}

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))
const count = { passed: 0, failed: 0 }
function countJest() {
  const { numPassedTests, numFailedTests, numFailedTestSuites } = readJson(jestResults)
  count.passed += numPassedTests
  count.failed += numFailedTests || numFailedTestSuites
}
function countBrowser() {
  const { stats } = readJson(join(results, 'browser.json'))
  count.passed += stats.expected
  count.failed += stats.unexpected + stats.flaky
}

const only = process.argv[2]
Object.assign(process.env, prepareTests(root, join(results, 'content')))
const outcomes = []
if (!only) {
  outcomes.push(
    ...(await Promise.all([
      part('types', bin('tsc'), ['--noEmit'], { quiet: true }),
      part('format', bin('prettier'), ['--check', '--log-level', 'warn', '.'], { quiet: true }),
      part('lint', bin('eslint'), ['.'], { quiet: true }).then(
        async (ok) =>
          (await part(
            'import direction',
            bin('depcruise'),
            [
              ...['client', 'server', 'shared', 'scripts', 'test', 'testing', 'bench'],
              ...['--config', '.dependency-cruiser.cjs'],
            ],
            { quiet: true },
          )) && ok,
      ),
    ])),
  )
  outcomes.push(
    await part('content', process.execPath, [join(root, 'scripts', 'content.mjs'), '--check'], {
      quiet: true,
    }),
  )
}
if (!only || only === 'unit' || only === 'integration') {
  outcomes.push(await jest(...(only ? [only] : ['unit', 'integration'])))
  countJest()
}
if (!only || only === 'browser') {
  outcomes.push(await browser())
  try {
    countBrowser()
  } catch {
    count.failed += 1
  }
}
console.log(`\ntests: ${count.passed} passed, ${count.failed} failed`)
process.exitCode = outcomes.every(Boolean) ? 0 : 1
