// The unit tests in the environment in which Stryker counts what each test reaches, without those
// that read the sources or texts of the project instead of calling functions.
const { projects } = require('./jest.config.cjs')

const unit = projects.find(({ displayName }) => displayName === 'unit')
const ofTheProject = [
  'scripts/',
  'class-names.test',
  'specification.test',
  'content/translations.test',
  'ops/xliff.test',
]
module.exports = {
  ...unit,
  testEnvironment: 'jest-environment-node',
  testPathIgnorePatterns: ofTheProject.map((name) => `/unit/${name}`),
}
