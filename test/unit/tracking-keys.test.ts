import { describe, expect, it } from '@jest/globals'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { trackingKeysDocument } from '../../scripts/tracking-keys-document'
import { menuPages } from '../../shared/menu-pages'
import { trackingAreas } from '../../shared/tracking-keys'
import { root } from '../../testing/root'

const areas = Object.entries(trackingAreas).map(([area, { keys }]) => [area, keys] as const)
const menuKeys = (['header', 'footer'] as const).flatMap((place) =>
  menuPages[place].map((name) => `${place}-${name}`),
)

describe('tracking keys', () => {
  it.each(areas)('of %s begin with the name of their area', (area, keys) => {
    for (const key of Object.keys(keys))
      expect(key).toMatch(new RegExp(`^${area}-[a-z]+(-[a-z]+)*$`))
  })

  it('are unique, those of menus included', () => {
    const all = [...areas.flatMap(([, keys]) => Object.keys(keys)), ...menuKeys]
    expect(all.filter((key, index) => all.indexOf(key) !== index)).toEqual([])
  })

  it('all have an element', () => {
    const code = globSync('client/**/*.{ts,tsx}', { cwd: root })
      .map((path) => readFileSync(join(root, path), 'utf8'))
      .join('')
    const unused = areas
      // The keys of plans are made from their ids.
      .filter(([area]) => area !== 'plan')
      .flatMap(([, keys]) => Object.keys(keys))
      .filter((key) => !code.includes(`"${key}"`) && !code.includes(`'${key}'`))
    expect(unused).toEqual([])
  })

  it('are all in docs/tracking-keys.md', () => {
    expect(readFileSync(join(root, 'docs', 'tracking-keys.md'), 'utf8')).toBe(
      trackingKeysDocument(),
    )
  })
})
