import { expect, it } from '@jest/globals'
import { rateVital } from '../../../client/console/rate-vital'

it.each([
  ['lcp', 2500, '2500 ms'],
  ['lcp', 2501, '2501 ms ▲ fair'],
  ['lcp', 4001, '4001 ms ✕ poor'],
  ['inp', 200, '200 ms'],
  ['cls', 0.11, '0.11 ▲ fair'],
  ['cls', 0.3, '0.30 ✕ poor'],
  ['cls', null, '–'],
] as const)('%s of %j is shown as %j', (name, value, text) =>
  expect(rateVital(name, value)).toBe(text),
)
