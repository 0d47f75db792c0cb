import { expect, it } from '@jest/globals'
import { detectSystem } from '../../client/platform/detect-system'
import { userAgents } from '../cases/user-agents'

it.each(userAgents.map((row) => [row.name, row] as const))(
  '%s',
  (_, { name: _name, systems, ...hints }) => {
    expect(detectSystem(hints).systems).toEqual(systems)
  },
)

it('knows sixty browsers', () =>
  expect(new Set(userAgents.map(({ name }) => name)).size).toBeGreaterThanOrEqual(60))
