const sharedOptions = {
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
  // Packages are transformed too, because many of them are ES modules only.
  transformIgnorePatterns: [],
  setupFilesAfterEnv: ['<rootDir>/testing/fail-on-console-error.ts'],
}

module.exports = {
  // Tests start sites that compile and render, which takes longer than the default 5 s on a busy
  // machine.
  testTimeout: 60_000,
  // Three for two cores: tests of limits and failures wait much of their time.
  maxWorkers: 3,
  projects: [
    {
      ...sharedOptions,
      displayName: 'unit',
      testEnvironment: '<rootDir>/testing/jest-environment.ts',
      testMatch: ['<rootDir>/test/unit/**/*.test.ts?(x)'],
    },
    {
      ...sharedOptions,
      displayName: 'integration',
      testEnvironment: '<rootDir>/testing/jest-environment.ts',
      testMatch: ['<rootDir>/test/integration/**/*.test.ts'],
    },
  ],
}
