import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createPictureReader } from '../../../server/content/compile/read-picture'
import { flatPng } from '../../../testing/bad-pictures'
import { temporaryFolder } from '../../../testing/release-with-tests'

const folder = temporaryFolder('pictures')
const read = createPictureReader({
  content: join(folder, 'content'),
  public: join(folder, 'public'),
})
const inThai = read({ collection: 'blog', id: 'a', locale: 'th' })
const inEnglish = read({ collection: 'blog', id: 'a', locale: 'en' })
const write = (path: string, bytes: Buffer): void => {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), bytes)
}
beforeAll(() => {
  write('content/blog/a/shot.png', flatPng(30, 20))
  write('content/blog/a/shot.th.png', flatPng(40, 20))
  write('content/blog/a/text.png', Buffer.from('words'))
  write('content/blog/a/heavy.png', Buffer.concat([flatPng(1, 1), Buffer.alloc(20 * 1024 * 1024)]))
  write('content/blog/a/huge.png', flatPng(10_000, 5001))
  write('content/blog/a/folder.png/a.png', flatPng(5, 5))
  write('content/blog/a/plain', flatPng(5, 5))
  write('public/logo.png', flatPng(7, 8))
  write('outside.png', flatPng(9, 9))
  symlinkSync(join(folder, 'outside.png'), join(folder, 'public/outside.png'))
  symlinkSync(join(folder, 'public/logo.png'), join(folder, 'public/link.png'))
  symlinkSync(join(folder, 'content/blog/a/shot.png'), join(folder, 'content/blog/a/link.png'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const size = { width: 640, height: 360 }

describe('a picture of an article', () => {
  it.each([
    ['shot.png', { provider: 'content', source: 'blog/a/shot.png', width: 30, height: 20 }],
    ['./shot.png', { provider: 'content', source: 'blog/a/shot.png', width: 30, height: 20 }],
    ['plain', { provider: 'content', source: 'blog/a/plain', width: 5, height: 5 }],
    ['/link.png', { provider: 'public', source: '/link.png', width: 7, height: 8 }],
    ['/logo.png', { provider: 'public', source: '/logo.png', width: 7, height: 8 }],
  ])('%s is read, with a version of its bytes', (source, picture) => {
    expect(inEnglish(source)).toEqual({
      ...picture,
      version: expect.stringMatching(/^[0-9a-f]{12}$/),
    })
  })

  it('is that of its language, where there is one', () => {
    expect([inThai('shot.png'), inThai('plain')]).toMatchObject([
      { source: 'blog/a/shot.th.png', width: 40 },
      { source: 'blog/a/plain', width: 5 },
    ])
  })

  it('of another site is not fetched: its author names the size', () => {
    const source = 'https://pictures.example/a.png'
    expect(inEnglish(source, size)).toEqual({ provider: 'remote', source, ...size })
    expect(inEnglish(source)).toEqual({
      reason: `${source}: a picture of another site needs its size as title: "=640x360"`,
    })
  })

  const elsewhere = 'a picture is a file beside the text, a path of public/ or an http(s) URL'
  it.each([
    ['none.png', 'blog/a/none.png is not there'],
    ['/none.png', '/none.png is not there'],
    ['link.png', 'blog/a/link.png is a symbolic link: not read'],
    ['/outside.png', '/outside.png is not there'],
    ['heavy.png', 'blog/a/heavy.png is larger than 20 MB'],
    ['text.png', 'blog/a/text.png is not a picture'],
    ['folder.png', 'blog/a/folder.png cannot be read (EISDIR)'],
    ['huge.png', 'blog/a/huge.png has more than 50 megapixels'],
    ['../b/shot.png', `../b/shot.png: ${elsewhere}`],
    ['more/shot.png', `more/shot.png: ${elsewhere}`],
    ['//pictures.example/a.png', `//pictures.example/a.png: ${elsewhere}`],
    ['/\\pictures.example/a.png', `/\\pictures.example/a.png: ${elsewhere}`],
    ['data:image/png,a', `data:image/png,a: ${elsewhere}`],
    ['/../outside.png', '/../outside.png: not a path of a picture'],
    ['/.git/a.png', '/.git/a.png: not a path of a picture'],
  ])('%s is refused with a reason', (source, reason) => {
    expect(inEnglish(source, size)).toEqual({ reason })
  })
})
