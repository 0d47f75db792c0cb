import { describe, expect, it } from '@jest/globals'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { schemas } from '../../../shared/front-matter'
import { root } from '../../../testing/root'

const folder = join(root, 'content', 'release')
const notes = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .sort()
  .map((name) => {
    const [, front = ''] = readFileSync(join(folder, name), 'utf8').split(/^---$/m)
    return { name, version: name.split('/')[0] ?? '', ...schemas.release.parse(parse(front)) }
  })
const ofThisSite = (url: string): boolean => !z.url().safeParse(url).success

describe('the files of release notes', () => {
  it.each(notes.map((note) => [note.name, note] as const))(
    '%s: size and SHA-256 are those of the files',
    (_, { files, version }) => {
      for (const { url, sha256, size } of files.filter((file) => ofThisSite(file.url))) {
        const bytes = readFileSync(join(root, 'public', url))
        expect({
          url,
          size: bytes.length,
          sha256: createHash('sha256').update(bytes).digest('hex'),
        }).toEqual({ url, size, sha256 })
        expect(url).toContain(`/${version}/client-${version}-`)
      }
    },
  )
  it('have versions in the order of their dates', () => {
    const byDate = notes
      .filter(({ name }) => name.endsWith('/en.md'))
      .sort((a, b) => a.date.localeCompare(b.date))
      .map(({ version }) => version)
    expect(byDate).toEqual([...byDate].sort((a, b) => a.localeCompare(b, 'en', { numeric: true })))
    expect(byDate.length).toBeGreaterThanOrEqual(6)
  })
  it('are the same in every language, with the same date', () => {
    for (const { version, files, date } of notes)
      expect({ version, files, date }).toEqual({
        version,
        files: notes.find((note) => note.name === `${version}/en.md`)?.files,
        date: notes.find((note) => note.name === `${version}/en.md`)?.date,
      })
  })
})
