import { defineConfig } from '@playwright/test'
import { chromiumArguments } from './testing/chromium-arguments'

const executablePath = process.env['CHROMIUM_PATH']

export default defineConfig({
  testDir: 'test/browser',
  testMatch: '**/*.spec.ts',
  workers: 3,
  timeout: 120_000,
  // Long enough for a busy machine; a check that passes does not wait.
  expect: { timeout: 20_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/browser.json' }]],
  outputDir: 'test-results/browser',
  use: {
    browserName: 'chromium',
    // Without it, an action that can never happen takes the time of the whole test.
    actionTimeout: 15_000,
    screenshot: 'only-on-failure',
    // Animations are painted without a graphics card, which took a third of the processor time.
    // Files about navigation and the shell switch them on.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: [
        ...chromiumArguments,
        // The pages of a context share one process. Otherwise Chromium starts twice as many, some
        // before they are needed, and takes 13 to 31 % more processor time.
        '--renderer-process-limit=1',
      ],
    },
  },
})
