import { expect, it } from '@jest/globals'
import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { root } from '../../testing/root'

it('every CSS module has a unique file name, because classes are named after it', () => {
  const names = globSync('client/**/*.module.css', { cwd: root }).map((path) => basename(path))
  expect(names.length).toBeGreaterThan(50)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})
