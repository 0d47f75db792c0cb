/** Fails every test that prints to console.error, unless the test called `allowConsoleErrors()`. */
import { afterEach, beforeEach, jest } from '@jest/globals'

let allowed = false
export const allowConsoleErrors = (): void => void (allowed = true)
let spy: { mockRestore: () => void } | undefined
const seen: unknown[][] = []

beforeEach(() => {
  allowed = false
  seen.length = 0
  spy = jest
    .spyOn(console, 'error')
    .mockImplementation((...args: unknown[]) => void seen.push(args))
})
afterEach(() => {
  spy?.mockRestore()
  if (!allowed && seen.length > 0)
    throw new Error(`console.error: ${seen.map((args) => args.join(' ')).join('\n')}`)
})
