import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import {
  deleteOldBuilds,
  deploy,
  deployedBuild,
  listBuilds,
  namedBuild,
} from '../../../scripts/deployed-build.mjs'
import { temporaryFolder } from '../../../testing/release-with-tests'

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

  it('is null when there is no build', () => {
    expect([deployedBuild(root), listBuilds(root)]).toEqual([null, []])
  })

  it('is the newest one until an older one is deployed', () => {
    add('old', 1)
    add('new', 2)
    mkdirSync(join(root, 'dist', '.half'))
    mkdirSync(join(root, 'dist', 'half'))
    expect([deployedBuild(root), listBuilds(root)]).toEqual(['new', ['new', 'old']])
    deploy(root, 'old')
    add('newest', 3)
    expect(deployedBuild(root)).toBe('old')
    expect(readdirSync(join(root, 'dist')).filter((name) => name.startsWith('.current'))).toEqual([
      '.current',
    ])
  })

  it('is the newest one when the deployed one was deleted', () => {
    add('old', 1)
    deploy(root, 'old')
    add('new', 2)
    rmSync(join(root, 'dist', 'old'), { recursive: true })
    expect([deployedBuild(root), namedBuild(root)]).toEqual(['new', 'old'])
  })

  it('is kept with the newest ones when old ones are deleted', () => {
    for (const [index, id] of ['a', 'b', 'c', 'd', 'e', 'f'].entries()) add(id, index)
    deploy(root, 'a')
    deleteOldBuilds(root, 'f')
    expect(listBuilds(root)).toEqual(['f', 'e', 'd', 'c', 'a'])
  })

  it.each(['nothing', '../../etc', ''])('cannot be %j', (id) => {
    add('new', 2)
    expect(() => deploy(root, id)).toThrow('there is no build')
    expect(deployedBuild(root)).toBe('new')
  })
})
