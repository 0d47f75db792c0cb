import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { iconNames, iconOr, viewBoxOf } from '../../../client/icons/names'
import { buildSprite } from '../../../scripts/asset-manifest-plugin'
import { viewBoxesSource } from '../../../scripts/icon-view-boxes'
import { root } from '../../../testing/root'
import { temporaryFolder } from '../../../testing/release-with-tests'

const icons = join(root, 'client', 'icons')
let folder: string
beforeEach(() => {
  folder = temporaryFolder('icons')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))
const put = (name: string, svg: string): void => writeFileSync(join(folder, name), svg)

describe('the icons', () => {
  it('match the generated list', () =>
    expect(readFileSync(join(icons, 'view-boxes.ts'), 'utf8')).toBe(viewBoxesSource(icons)))
  it('are all in the sprite, with their view boxes', () => {
    const sprite = buildSprite(icons)
    for (const name of iconNames)
      expect(sprite).toContain(`<symbol id="${name}" viewBox="${viewBoxOf(name)}"`)
    expect(sprite.match(/<symbol /g)).toHaveLength(iconNames.length)
  })
  it('may have different view boxes', () => {
    put('wide.svg', '<svg viewBox="0 0 48 24" fill="none"><path d="M0 0h48"/></svg>')
    expect(buildSprite(folder)).toContain(
      '<symbol id="wide" viewBox="0 0 48 24" fill="none"><path d="M0 0h48"/></symbol>',
    )
    expect(viewBoxesSource(folder)).toContain("wide: '0 0 48 24'")
  })
  it.each(['0 0 24', '0 0 24.5 24', '0 0 24 24 24', '0, 0, 24, 24', '', 'a b c d', '0 0 -24 24'])(
    'fail the build with their name for the view box "%s"',
    (box) => {
      put('broken.svg', `<svg viewBox="${box}"><path/></svg>`)
      expect(() => buildSprite(folder)).toThrow(
        `client/icons/broken.svg: the view box must be four integers, not "${box}"`,
      )
    },
  )
  it('fail the build without a view box, with an invalid name, a script or an external reference', () => {
    put('bare.svg', '<svg width="24"><path/></svg>')
    expect(() => buildSprite(folder)).toThrow(
      'client/icons/bare.svg: the view box must be four integers',
    )
    rmSync(join(folder, 'bare.svg'))
    put('Bad Name.svg', '<svg viewBox="0 0 24 24"><path/></svg>')
    expect(() => buildSprite(folder)).toThrow('client/icons/Bad Name.svg: a name is')
    rmSync(join(folder, 'Bad Name.svg'))
    for (const inner of [
      '<script>1</script>',
      '<path onclick="1"/>',
      '<image href="https://x.example/a.png"/>',
      '<foreignObject/>',
    ]) {
      put('active.svg', `<svg viewBox="0 0 24 24">${inner}</svg>`)
      expect(() => buildSprite(folder)).toThrow(
        'client/icons/active.svg: an icon holds shapes only',
      )
    }
  })
  it('that content names but the sprite does not have are replaced by the facet icon', () =>
    expect([iconOr('bot'), iconOr('nope'), iconOr('constructor'), iconOr(undefined)]).toEqual([
      'bot',
      'facet',
      'facet',
      'facet',
    ]))
})
