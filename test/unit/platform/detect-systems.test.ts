import { expect, it } from '@jest/globals'
import { detectSystems } from '../../../client/platform/detect-systems'
import { userAgents } from '../../cases/user-agents'

it.each(userAgents.map((row) => [row.name, row] as const))(
  '%s',
  (_, { name: _name, systems, ...hints }) => {
    expect(detectSystems(hints)).toEqual(systems)
  },
)

it('covers at least sixty browsers', () =>
  expect(new Set(userAgents.map(({ name }) => name)).size).toBeGreaterThanOrEqual(60))
