/**
 * Fails every test that prints to console.error. A test that failed prints its last requests with
 * the site's log lines about them.
 */
import { afterEach, beforeEach, expect, jest } from '@jest/globals'

let spy: { mockRestore: () => void } | undefined
const seen: unknown[][] = []

beforeEach(() => {
  seen.length = 0
  spy = jest
    .spyOn(console, 'error')
    .mockImplementation((...args: unknown[]) => void seen.push(args))
})
/** Set by `jest-environment.ts` and `site.ts`. */
type FailureFacts = { hasTestFailed?: boolean; describeRequests?: () => string }

afterEach(async () => {
  const { hasTestFailed, describeRequests } = globalThis as FailureFacts
  if (hasTestFailed && describeRequests) {
    // The last lines are still on their way from the site.
    await new Promise((resolve) => setTimeout(resolve, 100))
    process.stdout.write(`${expect.getState().currentTestName}\n${describeRequests()}\n`)
  }
  spy?.mockRestore()
  if (seen.length > 0)
    throw new Error(`console.error: ${seen.map((args) => args.join(' ')).join('\n')}`)
})
