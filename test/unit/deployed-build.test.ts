import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { builds, deploy, deployedBuild } from '../../scripts/deployed-build.mjs'
import { temporaryFolder } from '../../testing/site'

describe('the build that is served', () => {
  let root: string
  beforeEach(() => {
    root = temporaryFolder('deployed')
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))
  const add = (id: string, timestamp: number): void => {
    mkdirSync(join(root, 'dist', id), { recursive: true })
    writeFileSync(join(root, 'dist', id, 'build.json'), JSON.stringify({ id, timestamp }))
  }

  it('is none where nothing is built', () => {
    expect([deployedBuild(root), builds(root)]).toEqual([null, []])
  })

  it('is the newest until one is named; the way back names an older one', () => {
    add('old', 1)
    add('new', 2)
    mkdirSync(join(root, 'dist', '.half'))
    mkdirSync(join(root, 'dist', 'half'))
    expect([deployedBuild(root), builds(root)]).toEqual(['new', ['new', 'old']])
    deploy(root, 'old')
    add('newest', 3)
    expect(deployedBuild(root)).toBe('old')
    expect(readdirSync(join(root, 'dist')).filter((name) => name.startsWith('.current'))).toEqual([
      '.current',
    ])
  })

  it('is the newest again when the named one has been deleted', () => {
    add('old', 1)
    deploy(root, 'old')
    add('new', 2)
    rmSync(join(root, 'dist', 'old'), { recursive: true })
    expect(deployedBuild(root)).toBe('new')
  })

  it.each(['nothing', '../../etc', ''])('cannot be %j', (id) => {
    add('new', 2)
    expect(() => deploy(root, id)).toThrow('there is no build')
    expect(deployedBuild(root)).toBe('new')
  })
})
