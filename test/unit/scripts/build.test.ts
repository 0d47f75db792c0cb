import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { buildFiles } from '../../../scripts/build-id.mjs'
import { root } from '../../../testing/root'
import { temporaryFolder } from '../../../testing/release-with-tests'

const projects = temporaryFolder('build')
const project = join(projects, 'one')
const programs = join(projects, 'programs')
const scripts = join(root, 'scripts')

function write(path: string, text: string): void {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, text)
}
/** Runs code that imports the scripts of this project. Returns what it prints. */
const run = (code: string): string =>
  execFileSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { buildId } from ${JSON.stringify(join(scripts, 'build-id.mjs'))}
import { build, install } from ${JSON.stringify(join(scripts, 'prepare.mjs'))}
${code}`,
    ],
    { encoding: 'utf8', env: { PATH: `${programs}${delimiter}${process.env['PATH'] ?? ''}` } },
  )
const buildIdOf = (folder: string): string =>
  run(`process.stdout.write(buildId(${JSON.stringify(folder)}))`)
/** Runs the first steps of `npm start`, or those of `npm test`. Returns the lines they print. */
const prepare = (isForDevelopment = false): string[] =>
  run(`const root = ${JSON.stringify(project)}; install(root, ${isForDevelopment}); build(root)`)
    .trim()
    .split('\n')
    .filter(Boolean)
const updateLock = (minutes: number): void => {
  const later = new Date(Date.now() + minutes * 60_000)
  utimesSync(join(project, 'package-lock.json'), later, later)
}

beforeAll(() => {
  for (const folder of ['client', 'server', 'shared'])
    write(join(project, folder, 'a.ts'), `export const name = '${folder}'\n`)
  for (const file of buildFiles) write(join(project, file), '{}\n')
  // Stands in for `npm ci`, which installs a stand-in for the build.
  const tsx = `import { buildId } from ${JSON.stringify(join(scripts, 'build-id.mjs'))}
import { mkdirSync, writeFileSync } from 'node:fs'
const folder = 'dist/' + buildId(process.cwd())
mkdirSync(folder, { recursive: true })
writeFileSync(folder + '/build.json', '{}')
`
  write(
    join(programs, 'npm'),
    `#!/bin/sh
echo "$2"
case "$*" in *--include=dev*) mkdir -p node_modules/jest;; esac
mkdir -p node_modules/tsx/dist
cat > node_modules/tsx/dist/cli.mjs <<'END'
${tsx}END
touch node_modules/.package-lock.json
`,
  )
  execFileSync('chmod', ['755', join(programs, 'npm')])
})
afterAll(() => rmSync(projects, { recursive: true, force: true }))

describe('npm start', () => {
  it('installs and builds what is missing or older than the sources, and nothing else', () => {
    expect(prepare()).toEqual(['installing packages', '--omit=dev', 'building'])
    expect(readdirSync(join(project, 'dist'))).toEqual([buildIdOf(project)])
    expect(prepare()).toEqual([])
    write(join(project, 'server', 'a.ts'), 'export const name = 2\n')
    expect(prepare()).toEqual(['building'])
    updateLock(1)
    expect(prepare()).toEqual(['installing packages', '--omit=dev'])
  })

  it('keeps the packages for tests and development that another script has installed', () => {
    updateLock(-1)
    expect(prepare(true)).toEqual(['installing packages', '--include=dev'])
    expect(prepare(true)).toEqual([])
    updateLock(1)
    expect(prepare()).toEqual(['installing packages', '--include=dev'])
  })
})

/** What a file of the project imports, except for types, directly or not. */
function importedFiles(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found
  found.add(path)
  const source = readFileSync(join(root, path), 'utf8')
  for (const [, from = ''] of source.matchAll(/^(?:im|ex)port (?!type )[^']*?from '(\.[^']+)'/gm))
    importedFiles(join(dirname(path), /\.m?js$/.test(from) ? from : `${from}.ts`), found)
  return found
}

describe('the build id', () => {
  it('has 16 hex digits and depends on sources, lock file and build settings alone', () => {
    const copy = join(projects, 'copy')
    cpSync(project, copy, { recursive: true })
    const id = buildIdOf(project)
    expect(id).toMatch(/^[0-9a-f]{16}$/)
    // Another folder, other times, Windows line ends, and files that no build reads.
    write(join(copy, 'client', 'a.ts'), "export const name = 'client'\r\n")
    write(join(copy, 'docs', 'a.md'), 'text')
    expect(buildIdOf(copy)).toBe(id)
    for (const file of ['shared/a.ts', 'package-lock.json', 'tsconfig.json']) {
      const before = buildIdOf(copy)
      write(join(copy, file), `// ${file}\n`)
      expect([file, buildIdOf(copy) === before]).toEqual([file, false])
    }
  })

  it('depends on all files that build', () => {
    const imported = importedFiles('scripts/build.ts')
    expect(imported).toContain('webpack.config.ts')
    const ofScripts = [...imported].filter((path) => !/^(?:client|server|shared)\//.test(path))
    // The namespaces that are written are part of the sources.
    const withoutEffect = [
      'scripts/build-id.mjs',
      'scripts/deployed-build.mjs',
      'scripts/write-namespaces.ts',
    ]
    const missing = ofScripts.filter((path) => !buildFiles.includes(path))
    expect(missing.sort()).toEqual(withoutEffect)
  })
})

describe('the ids of the content compiler and of the rules of URLs', () => {
  it('cover all files that compiled content depends on', () => {
    const imported = importedFiles('server/content/compile/process.ts')
    expect(imported).toContain('server/content/compile/markdown.ts')
    const covered = JSON.parse(
      run(
        `import { compilerFiles, routesFiles } from ${JSON.stringify(join(scripts, 'build-id.mjs'))}
const root = ${JSON.stringify(root)}
process.stdout.write(JSON.stringify([...compilerFiles(root), ...routesFiles(root)]))`,
      ),
    ) as string[]
    const withoutEffect = [
      'server/db/data-folder.ts',
      'server/db/sqlite-version.ts',
      'server/errors.ts',
      'server/write-ahead-log.ts',
    ]
    expect([...imported].filter((path) => !covered.includes(path)).sort()).toEqual(withoutEffect)
  })
})
