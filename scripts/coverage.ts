/**
 * `npm run test:coverage`: runs the unit, integration and browser tests and prints, by area, which
 * lines and branches at least one of them reached. Arguments choose files:
 * `npm run test:coverage -- test/unit/routes/routes.test.ts test/browser/pages/docs.spec.ts`.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CoverageReport } from 'monocart-coverage-reports'
import webpack from 'webpack'
import config from '../webpack.config'
import { ensureTestBrowser } from './browser.mjs'
import { collectBuildFacts } from './build-facts'
import { buildId } from './build-id.mjs'
import { encodeStarterImages } from './encode-starter-images'
import { prepareTests } from './prepare-tests.mjs'

type Script = { url: string; source?: string }

const root = resolve(__dirname, '..')
const results = join(root, 'test-results')
const folder = join(results, 'coverage')
/** A production build with source maps. Like the builds in `dist`, it has its id as folder name. */
const buildFolder = join(results, buildId(root))

async function buildWithSourceMaps(ordinaryBuild: string): Promise<void> {
  rmSync(buildFolder, { recursive: true, force: true })
  const configs = config({ root, folder: buildFolder, mode: 'production' })
  await new Promise<void>((done, fail) => {
    webpack(
      configs.map((one) => ({ ...one, devtool: 'hidden-source-map' as const })),
      (error, stats) =>
        error || stats?.hasErrors() ? fail(error ?? new Error('the build failed')) : done(),
    )
  })
  await encodeStarterImages({
    contentFolder: join(root, 'content'),
    targetFolder: join(buildFolder, 'images'),
    encoderScript: join(buildFolder, 'server', 'encoder.js'),
    olderBuilds: [ordinaryBuild],
  })
  const facts = collectBuildFacts(root, buildId(root))
  writeFileSync(join(buildFolder, 'build.json'), JSON.stringify(facts))
}

function runTests(settings: Record<string, string>): void {
  const chosen = process.argv.slice(2)
  const [browser, others] = [true, false].map((isBrowser) =>
    chosen.filter((path) => path.includes('.spec.') === isBrowser),
  )
  const run = (program: string, args: readonly string[]): void => {
    const env = { ...process.env, ...settings }
    spawnSync(join(root, 'node_modules', '.bin', program), args, {
      cwd: root,
      env,
      stdio: 'inherit',
    })
  }
  const reporters = [
    '--reporters=default',
    `--reporters=${join(root, 'testing', 'coverage-reporter.cjs')}`,
  ]
  const jestArgs = ['--coverage', '--coverageProvider=v8', '--coverageReporters=none', ...reporters]
  if (chosen.length === 0 || others?.length) run('jest', [...(others ?? []), ...jestArgs])
  if (chosen.length === 0 || browser?.length)
    run('playwright', ['test', '--reporter=line', ...(browser ?? [])])
}

/** The file of the build that a script of the browser or of a process is; null for another. */
function builtFile(url: string): string | null {
  if (url.startsWith('file:')) {
    const path = fileURLToPath(url)
    return path.startsWith(buildFolder) ? path : null
  }
  const path = join(buildFolder, 'client', 'assets', basename(url.split('?', 1)[0] ?? ''))
  return url.includes('/assets/') && existsSync(path) ? path : null
}

/** Adds source and source map. Scripts of tests have theirs already. */
function withSource(script: Script): Script[] {
  if (script.source !== undefined) return [script]
  const file = builtFile(script.url)
  if (!file || !existsSync(`${file}.map`)) return []
  const sourceMap: unknown = JSON.parse(readFileSync(`${file}.map`, 'utf8'))
  const source = { source: readFileSync(file, 'utf8'), sourceMap }
  return [{ ...script, url: `file://${file}`, ...source }]
}

/** Path in the project of a source that a source map names. */
const projectPath = (path: string): string => path.replace(/^.*?(?=(?:client|server|shared)\/)/, '')

async function report(): Promise<void> {
  const coverage = new CoverageReport({
    outputDir: join(folder, 'report'),
    logging: 'error',
    reports: ['console-summary', 'json'],
    sourceFilter: (path: string) => existsSync(join(root, projectPath(path))),
    sourcePath: (path: string) => projectPath(path),
  })
  for (const part of ['jest', 'processes', 'browser']) {
    if (!existsSync(join(folder, part))) continue
    for (const name of readdirSync(join(folder, part))) {
      const data = JSON.parse(readFileSync(join(folder, part, name), 'utf8')) as
        Script[] | { result: Script[] }
      const scripts = (Array.isArray(data) ? data : data.result).flatMap(withSource)
      if (scripts.length > 0) await coverage.add(scripts)
    }
  }
  const { files = [] } = (await coverage.generate()) ?? {}
  printByArea(files.map(({ sourcePath, summary }) => ({ path: sourcePath, ...summary })))
}

type Count = { total: number; covered: number }
type FileCoverage = { path: string; lines: Count; branches: Count }

function printByArea(files: readonly FileCoverage[]): void {
  const areaOf = (path: string): string => path.split('/').slice(0, -1).slice(0, 2).join('/')
  const percent = (counts: readonly Count[]): string => {
    const total = counts.reduce((sum, count) => sum + count.total, 0)
    const covered = counts.reduce((sum, count) => sum + count.covered, 0)
    return `${total === 0 ? '-' : ((100 * covered) / total).toFixed(1)} %`.padStart(8)
  }
  const print = (name: string, list: readonly FileCoverage[]): void =>
    console.log(
      percent(list.map(({ lines }) => lines)),
      percent(list.map(({ branches }) => branches)),
      String(list.length).padStart(6),
      name,
    )
  console.log('\n   lines branches  files area')
  for (const area of [...new Set(files.map(({ path }) => areaOf(path)))].sort())
    print(
      area,
      files.filter(({ path }) => areaOf(path) === area),
    )
  print('all', files)
}

async function main(): Promise<void> {
  const { BUILD_FOLDER, CONTENT_SEED } = prepareTests(root, join(results, 'content'))
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await buildWithSourceMaps(BUILD_FOLDER)
  runTests({
    BUILD_FOLDER: buildFolder,
    CONTENT_SEED,
    COVERAGE_FOLDER: folder,
    CHROMIUM_PATH: ensureTestBrowser(root),
  })
  await report()
}

main().catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
