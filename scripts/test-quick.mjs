// `npm run test:quick`: what a change needs before it is committed. Types of the whole project,
// lint and format of the changed files, and the unit and integration tests that import a changed
// file, directly or through others. Texts, content, documents and styles are read without an
// import, so a change of one of these runs the unit tests of all code that names its folder.
// Nothing is built unless an integration test imports a changed file.
// A file counts as changed if it differs from the commit where the branch left main (or
// MAIN_BRANCH), committed or not.
import { execFile, execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { preparation, prepareTests } from './prepare-tests.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const cache = join(root, 'node_modules', '.cache')
const mainBranch = process.env.MAIN_BRANCH || 'main'

const git = (...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim()
/** Of this branch with the main branch, which a clone of one branch has only as `origin/main`. */
function mergeBase() {
  for (const branch of [mainBranch, `origin/${mainBranch}`]) {
    try {
      return git('merge-base', 'HEAD', branch)
    } catch {
      // There is no such branch.
    }
  }
  console.error(`there is no branch ${mainBranch} to compare with: set MAIN_BRANCH to its name`)
  process.exit(1)
}
const changed = [
  ...new Set(
    [
      git('diff', '--name-only', '--no-renames', mergeBase()),
      git('ls-files', '--others', '--exclude-standard'),
    ].flatMap((list) => list.split('\n')),
  ),
].filter((path) => path !== '')
const isCode = (path) => /\.(?:[cm]?[jt]s|tsx)$/.test(path)
/** Changed files that were not deleted. */
const existing = changed.filter((path) => existsSync(join(root, path)))
const code = existing.filter(isCode)
const texts = changed.filter((path) => /^(?:locales|content|docs)\//.test(path))

/** Code that names the folder of a changed file without code, or the file itself at the root. */
function listReaders() {
  const others = changed.filter((path) => !isCode(path)).map((path) => path.split('/')[0])
  if (others.length === 0) return []
  const pattern = `['"\`](${[...new Set(others)].join('|')})['"\`/]`
  try {
    return git('grep', '-lE', pattern, '--', '*.ts', '*.tsx', '*.mjs', '*.cjs').split('\n')
  } catch {
    // Git found none.
    return []
  }
}

/** A program of the packages, or an absolute path. */
const bin = (name) => resolve(root, 'node_modules', '.bin', name)
let hasFailed = false

/**
 * Runs a command and returns whether it succeeded. If it fails, its output is printed after it has
 * ended, so that the outputs of commands that run side by side do not mix.
 */
function run(name, command, args, env = {}) {
  return new Promise((done) => {
    const startedAt = Date.now()
    const child = spawn(bin(command), args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    })
    const output = []
    child.stdout.on('data', (chunk) => output.push(chunk))
    child.stderr.on('data', (chunk) => output.push(chunk))
    child.on('close', (code) => {
      if (code !== 0) process.stdout.write(Buffer.concat(output))
      const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`)
      hasFailed ||= code !== 0
      done(code === 0)
    })
  })
}

/**
 * Whether the change can cause a type error. Types come from code and from the English texts, not
 * from texts in other languages.
 */
const hasTypes = changed.some(
  (path) =>
    /\.(?:[cm]?ts|tsx|json)$/.test(path) &&
    (!path.startsWith('locales/') || path.startsWith('locales/en/')),
)

async function runChecks() {
  if (hasTypes) {
    const typeCache = join(cache, 'types.tsbuildinfo')
    const typesArgs = [join(root, 'scripts', 'check-types.mjs'), '--incremental']
    await run('types', process.execPath, [...typesArgs, '--tsBuildInfoFile', typeCache])
  }
  if (code.length > 0) {
    const cacheArgs = ['--cache', '--cache-location', join(cache, 'eslint')]
    await run('lint', 'eslint', [...cacheArgs, '--no-warn-ignored', ...code])
  }
  if (existing.length > 0) {
    const formatArgs = ['--check', '--log-level', 'warn', '--ignore-unknown', ...existing]
    await run('format', 'prettier', formatArgs)
  }
  if (texts.length > 0) await run('style', 'tsx', [join(root, 'scripts', 'check-copy.ts')])
}

/** Paths of the tests that import one of the files, directly or through others. */
async function listTestsOf(project, files) {
  if (files.length === 0) return []
  const args = ['--selectProjects', project, '--listTests', '--json', '--findRelatedTests']
  const { stdout } = await promisify(execFile)(bin('jest'), [...args, ...files], { cwd: root })
  return JSON.parse(stdout)
}

async function runTests(project, paths) {
  if (paths.length === 0) return
  await run(`${project} tests`, 'jest', ['--selectProjects', project, '--runTestsByPath', ...paths])
}

async function prepare() {
  const seedFolder = join(cache, 'content')
  const { command, args, env } = preparation(root, seedFolder)
  const isBuilt = await run('build', command, args, env)
  if (isBuilt) Object.assign(process.env, prepareTests(root, seedFolder, true))
  return isBuilt
}

console.log(`${changed.length} files changed since ${mainBranch}`)
const [unitTests, integrationTests] = await Promise.all([
  listTestsOf('unit', [...code, ...listReaders()]),
  listTestsOf('integration', code),
])
// Unit tests and the type check need no build, so they run beside it.
const started = [runTests('unit', unitTests), runChecks()]
if (integrationTests.length > 0 && (await prepare()))
  await runTests('integration', integrationTests)
await Promise.all(started)
process.exitCode = hasFailed ? 1 : 0
