/** A test that prints an error it did not declare has failed: `allowConsoleErrors()` declares it. */
import { afterEach, beforeEach, jest } from '@jest/globals'

let allowed = false
export const allowConsoleErrors = (): void => void (allowed = true)
let spy: ReturnType<typeof jest.spyOn> | undefined
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
