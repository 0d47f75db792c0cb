const common = {
  rootDir: __dirname,
  transform: {
    '\\.m?[jt]sx?$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic' } },
        },
      },
    ],
  },
  // Many packages are ES modules only.
  transformIgnorePatterns: [],
  setupFilesAfterEnv: ['<rootDir>/testing/fail-on-console-error.ts'],
}

module.exports = {
  // Sites that start, compile and render: on a busy machine five seconds are no fault of theirs.
  testTimeout: 60_000,
  maxWorkers: 2,
  projects: [
    {
      ...common,
      displayName: 'unit',
      testEnvironment: 'node',
      testMatch: ['<rootDir>/test/unit/**/*.test.ts?(x)'],
    },
    {
      ...common,
      displayName: 'integration',
      testEnvironment: 'node',
      testMatch: ['<rootDir>/test/integration/**/*.test.ts'],
    },
  ],
}
