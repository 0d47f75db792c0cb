// The unit tests in the environment in which Stryker counts what each test reaches, without those
// that read the sources or texts of the project instead of calling functions.
const { projects } = require('./jest.config.cjs')

const unit = projects.find(({ displayName }) => displayName === 'unit')
const ofTheProject = [
  'build',
  'class-names',
  'conformance',
  'facts',
  'language-rules',
  'references',
  'regular-expressions',
  'specification',
  'translations',
  'xliff',
]
module.exports = {
  ...unit,
  testEnvironment: 'jest-environment-node',
  testPathIgnorePatterns: ofTheProject.map((name) => `/unit/${name}\\.test`),
}
