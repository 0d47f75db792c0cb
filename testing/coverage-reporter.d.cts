/** What jest reports of a test file, as far as it is read here. */
type TestResult = {
  v8Coverage?: ReadonlyArray<{
    result: { url: string; functions: readonly unknown[] }
    codeTransformResult: { code: string; sourceMapPath: string | null } | undefined
  }>
}
export default class CoverageReporter {
  onTestResult(test: { path: string }, result: TestResult): void
  getLastError(): Error | undefined
}
