import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { openDataFolder } from '../../../server/db/data-folder'
import { temporaryFolder } from '../../../testing/release-with-tests'

it('a data folder that another user can read is closed to others, with what is in it', () => {
  const folder = join(temporaryFolder('data-folder'), 'new', 'data')
  const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)
  openDataFolder(folder)
  const [file, inner] = [join(folder, 'site.db'), join(folder, 'logs')]
  writeFileSync(file, '', { mode: 0o644 })
  mkdirSync(inner, { mode: 0o755 })
  openDataFolder(folder)
  expect([folder, inner, file].map(modeOf)).toEqual(['700', '700', '600'])
})
