// Reporter of jest for `npm run test:coverage`: writes what V8 counted in each test file, with the
// code that ran and its source map.
const { mkdirSync, readFileSync, writeFileSync } = require('node:fs')
const { basename, join } = require('node:path')
const { pathToFileURL } = require('node:url')

module.exports = class CoverageReporter {
  onTestResult({ path }, { v8Coverage = [] }) {
    const folder = process.env.COVERAGE_FOLDER
    if (!folder) return
    const entries = v8Coverage
      .filter(({ codeTransformResult }) => codeTransformResult?.sourceMapPath)
      .map(({ result, codeTransformResult: { code, sourceMapPath } }) => ({
        ...result,
        url: result.url.startsWith('file:') ? result.url : pathToFileURL(result.url).href,
        source: code,
        sourceMap: JSON.parse(readFileSync(sourceMapPath, 'utf8')),
      }))
    mkdirSync(join(folder, 'jest'), { recursive: true })
    writeFileSync(join(folder, 'jest', `${basename(path)}.json`), JSON.stringify(entries))
  }
}
