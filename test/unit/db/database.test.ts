import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { assertDatabaseUrl } from '../../../server/db/database'
import { temporaryFolder } from '../../../testing/release-with-tests'

it('DATABASE_URL with the path of a folder is refused; a file may exist or be created later', () => {
  const folder = temporaryFolder('database')
  const file = join(folder, 'site.db')
  expect(() => assertDatabaseUrl(`file:${folder}`)).toThrow(
    `DATABASE_URL="file:${folder}" is not accepted: file:… with the path of a file, or postgres://…`,
  )
  assertDatabaseUrl(`file:${file}`)
  writeFileSync(file, '')
  assertDatabaseUrl(`file:${file}`)
  assertDatabaseUrl('postgres://localhost/site')
})
