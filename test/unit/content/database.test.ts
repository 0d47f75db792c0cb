import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { openForReading, openForWriting } from '../../../server/content/database'
import { temporaryFolder } from '../../../testing/release-with-tests'

describe('the content database is not read', () => {
  const folder = temporaryFolder('content-database')
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each([
    ['without its folder', 'none/content.db', () => undefined],
    ['without its file', 'content.db', () => undefined],
    ['when a folder has its name', 'folder', (file: string) => mkdirSync(file)],
    ['when it is another kind of file', 'text', (file: string) => writeFileSync(file, 'text')],
    ['before it was compiled', 'new', (file: string) => openForWriting(file).close()],
  ])('%s', (_when, name, prepare) => {
    const file = join(folder, name)
    prepare(file)
    expect(openForReading(file)).toBeNull()
  })
})
