// Reporter of jest for `npm run test:coverage`: writes what V8 counted in each test file, with the
// code that ran and its source map.
const { existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs')
const { join, relative, resolve, sep } = require('node:path')
const { pathToFileURL } = require('node:url')

const root = resolve(__dirname, '..')

function writeCoverage(folder, { path }, { v8Coverage = [] }) {
  const entries = v8Coverage
    // Jest names a source map also for scripts that it does not transform. Then there is no such
    // file.
    .filter(({ codeTransformResult }) => existsSync(codeTransformResult?.sourceMapPath ?? ''))
    .map(({ result, codeTransformResult: { code, sourceMapPath } }) => ({
      ...result,
      url: result.url.startsWith('file:') ? result.url : pathToFileURL(result.url).href,
      source: code,
      sourceMap: JSON.parse(readFileSync(sourceMapPath, 'utf8')),
    }))
  mkdirSync(join(folder, 'jest'), { recursive: true })
  // With the folders: unit and integration tests have files of the same name.
  const name = relative(root, path).replaceAll(sep, '-')
  writeFileSync(join(folder, 'jest', `${name}.json`), JSON.stringify(entries))
}

module.exports = class CoverageReporter {
  onTestResult(test, result) {
    const folder = process.env.COVERAGE_FOLDER
    if (!folder) return
    try {
      writeCoverage(folder, test, result)
    } catch (error) {
      // If it were thrown, jest would leave out the remaining tests and report success.
      console.error(error)
      this.error = error
    }
  }

  /** With an error here, jest ends with a status other than 0. */
  getLastError() {
    return this.error
  }
}
