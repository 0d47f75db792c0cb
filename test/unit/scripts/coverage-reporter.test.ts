import { afterEach, beforeEach, expect, it, jest } from '@jest/globals'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import CoverageReporter from '../../../testing/coverage-reporter.cjs'
import { root } from '../../../testing/root'
import { temporaryFolder } from '../../../testing/release-with-tests'

let folder: string
beforeEach(() => {
  folder = temporaryFolder('coverage')
  process.env['COVERAGE_FOLDER'] = folder
})
afterEach(() => {
  delete process.env['COVERAGE_FOLDER']
  rmSync(folder, { recursive: true })
})

/** What jest reports of one script that a test loaded. */
const scriptAt = (url: string, sourceMapPath: string) => ({
  result: { url, functions: [] },
  codeTransformResult: { code: '', sourceMapPath },
})

it('leaves out scripts that jest did not transform, which have no source map', () => {
  const map = join(folder, 'a.map')
  writeFileSync(map, '{"version":3}')
  const reporter = new CoverageReporter()
  const v8Coverage = [scriptAt('/a.ts', map), scriptAt('/b.cjs', join(folder, 'b.map'))]
  reporter.onTestResult({ path: join(root, 'test/unit/a.test.ts') }, { v8Coverage })
  const written = readFileSync(join(folder, 'jest', 'test-unit-a.test.ts.json'), 'utf8')
  expect(JSON.parse(written)).toEqual([
    { url: 'file:///a.ts', functions: [], source: '', sourceMap: { version: 3 } },
  ])
  expect(reporter.getLastError()).toBeUndefined()
})

it('keeps the results of two files of the same name', () => {
  const reporter = new CoverageReporter()
  for (const path of ['test/unit/a.test.ts', 'test/integration/a.test.ts'])
    reporter.onTestResult({ path: join(root, path) }, { v8Coverage: [] })
  expect(readdirSync(join(folder, 'jest'))).toHaveLength(2)
})

it('reports its own error instead of throwing it, which would end the run as a success', () => {
  const print = jest.spyOn(console, 'error').mockReturnValue(undefined)
  writeFileSync(join(folder, 'jest'), 'a file where a folder should be')
  const reporter = new CoverageReporter()
  reporter.onTestResult({ path: '/test/a.test.ts' }, { v8Coverage: [] })
  expect(reporter.getLastError()).toMatchObject({ code: 'EEXIST' })
  expect(print).toHaveBeenCalledTimes(1)
  print.mockRestore()
})
