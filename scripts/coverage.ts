/**
 * `npm run test:coverage`: runs the unit, integration and browser tests and prints, by area, how
 * much of the code they reached together, in percent of its lines. Arguments choose files:
 * `npm run test:coverage -- test/unit/routes/routes.test.ts test/browser/pages/docs.spec.ts`.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import webpack from 'webpack'
import config from '../webpack.config'
import { ensureTestBrowser } from './browser.mjs'
import { collectBuildFacts } from './build-facts'
import { buildId } from './build-id.mjs'
import { encodeStarterImages } from './encode-starter-images'
import {
  createCoverageMerger,
  type LineCoverage,
  type MappedScript,
  type RunScript,
} from './merge-coverage'
import { prepareTests } from './prepare-tests.mjs'

type CoverageMerger = ReturnType<typeof createCoverageMerger>
/** Jest gives the code that ran and its source map. Scripts of the build have theirs in files. */
type Script = RunScript & { url: string } & Partial<MappedScript>

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
      // Webpack's cache holds the results of the ordinary build, which have no source maps.
      configs.map((one) => ({ ...one, cache: false, devtool: 'hidden-source-map' as const })),
      (error, stats) => {
        if (error || !stats) return fail(error ?? new Error('webpack returned no result'))
        if (stats.hasErrors()) return fail(new Error(stats.toString({ preset: 'errors-only' })))
        if (!existsSync(join(buildFolder, 'server', 'main.js.map')))
          return fail(new Error(`the build in ${buildFolder} has no source maps`))
        done()
      },
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

/** Whether all tests passed. */
function runTests(settings: Record<string, string>): boolean {
  const chosen = process.argv.slice(2)
  const [browser, others] = [true, false].map((isBrowser) =>
    chosen.filter((path) => path.includes('.spec.') === isBrowser),
  )
  const run = (program: string, args: readonly string[]): boolean => {
    const options = { cwd: root, env: { ...process.env, ...settings }, stdio: 'inherit' } as const
    return spawnSync(join(root, 'node_modules', '.bin', program), args, options).status === 0
  }
  const reporters = [
    '--reporters=default',
    `--reporters=${join(root, 'testing', 'coverage-reporter.cjs')}`,
  ]
  const jestArgs = ['--coverage', '--coverageProvider=v8', '--coverageReporters=none', ...reporters]
  const isChosen = (files: readonly string[] = []): boolean =>
    chosen.length === 0 || files.length > 0
  return [
    !isChosen(others) || run('jest', [...(others ?? []), ...jestArgs]),
    !isChosen(browser) || run('playwright', ['test', '--reporter=line', ...(browser ?? [])]),
  ].every(Boolean)
}

/** The file of the build that a script of the browser or of a process is; null for another. */
function builtFile(url: string): string | null {
  const path = url.startsWith('file:')
    ? fileURLToPath(url)
    : join(buildFolder, 'client', 'assets', basename(url.split('?', 1)[0] ?? ''))
  const isOfBuild = path.startsWith(buildFolder) && existsSync(`${path}.map`)
  return isOfBuild && (url.startsWith('file:') || url.includes('/assets/')) ? path : null
}

/** Path in the project of a source that a source map names; null for code of packages. */
function projectPath(source: string): string | null {
  const path = source.replace(/^.*?(?=(?:client|server|shared|scripts)\/)/, '')
  const isCode = /^(?:client|server|shared|scripts)\/.*\.(?:tsx?|mjs)$/.test(path)
  return isCode && existsSync(join(root, path)) ? path : null
}

const readMap = (file: string): MappedScript => ({
  source: readFileSync(file, 'utf8'),
  sourceMap: readFileSync(`${file}.map`, 'utf8'),
})

function addFile(merger: CoverageMerger, file: string): void {
  const data = JSON.parse(readFileSync(file, 'utf8')) as Script[] | { result: Script[] }
  for (const script of Array.isArray(data) ? data : data.result) {
    const { url, source, sourceMap } = script
    const built = source === undefined ? builtFile(url) : null
    if (built) merger.add(built, script, () => readMap(built))
    else if (source !== undefined && sourceMap)
      merger.add(url, script, () => ({ source, sourceMap }))
  }
}

const areaOf = (path: string): string => path.split('/').slice(0, -1).slice(0, 2).join('/')
const linesOf = (lines: LineCoverage, isReached: boolean): number[] =>
  [...lines]
    .flatMap(([line, reached]) => (reached === isReached ? [line] : []))
    .sort((a, b) => a - b)

/** The share of lines with code that were reached, by area; the others are written to a file. */
function report(): void {
  const merger = createCoverageMerger()
  for (const part of ['jest', 'processes', 'browser'])
    if (existsSync(join(folder, part)))
      for (const name of readdirSync(join(folder, part))) addFile(merger, join(folder, part, name))
  const files = [...merger.lines(projectPath)].sort(([a], [b]) => (a < b ? -1 : 1))

  const print = (name: string, list: typeof files): void => {
    const reached = list.reduce((sum, [, lines]) => sum + linesOf(lines, true).length, 0)
    const all = list.reduce((sum, [, lines]) => sum + lines.size, 0)
    const percent = `${((100 * reached) / Math.max(all, 1)).toFixed(1)} %`
    console.log(percent.padStart(8), String(all).padStart(7), String(list.length).padStart(6), name)
  }
  console.log('\n reached   lines  files area')
  for (const area of new Set(files.map(([path]) => areaOf(path))))
    print(
      area,
      files.filter(([path]) => areaOf(path) === area),
    )
  print('all', files)
  const unreached = files
    .map(([path, lines]) => ({ path, lines: linesOf(lines, false) }))
    .filter(({ lines }) => lines.length > 0)
    .map(({ path, lines }) => `${path}: ${lines.join(' ')}`)
  writeFileSync(join(folder, 'unreached.txt'), `${unreached.join('\n')}\n`)
  console.log(`\nlines that no test reaches: ${relative(root, join(folder, 'unreached.txt'))}`)
}

async function main(): Promise<void> {
  const { BUILD_FOLDER, CONTENT_SEED } = prepareTests(root, join(results, 'content'))
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await buildWithSourceMaps(BUILD_FOLDER)
  const isComplete = runTests({
    BUILD_FOLDER: buildFolder,
    CONTENT_SEED,
    COVERAGE_FOLDER: folder,
    CHROMIUM_PATH: ensureTestBrowser(root),
  })
  report()
  rmSync(buildFolder, { recursive: true, force: true })
  if (isComplete) return
  console.error('not every test passed, so lines may be missing above')
  process.exitCode = 1
}

main().catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
