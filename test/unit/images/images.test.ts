import { describe, expect, it } from '@jest/globals'
import { SiteError } from '../../../server/errors'
import { chooseFormat } from '../../../server/images/choose-format'
import { parseTarget } from '../../../server/images/parse-target'
import { breakpoints } from '../../../shared/constants'
import {
  imageUrl,
  allowedWidths,
  offeredWidths,
  pictureSources,
  type Picture,
} from '../../../shared/images'

const statusOf = (work: () => unknown): number => {
  try {
    work()
  } catch (error) {
    if (error instanceof SiteError) return error.status
    throw error
  }
  return 200
}
const parse = (target: string) => parseTarget(target)

describe('an image URL', () => {
  it.each([
    [
      '/w_640,f_avif,q_100,dpr_2/a.png',
      { width: 1280, format: 'avif', quality: 100, version: null },
    ],
    [
      '/w_640,photo,v_0123456789ab/a.png',
      { width: 640, format: 'source', quality: 80, version: '0123456789ab' },
    ],
    ['/preset_photo,q_100/a.png', { width: null, format: 'source', quality: 100, version: null }],
    ['/thumbnail/a.png', { width: 320, format: 'auto', quality: 80, version: null }],
    ['/_/a.png', { width: null, format: 'source', quality: 100, version: null }],
    ['/w_3072,dpr_2/a.png', { width: 3072, format: 'source', quality: 100, version: null }],
    ['/w%5F320/a.png', { width: 320, format: 'source', quality: 100, version: null }],
  ])('%s names a variant', (target, variant) => expect(parse(target).variant).toEqual(variant))

  it.each([
    ['/_/a/b c.png', { kind: 'public', path: 'a/b c.png' }],
    ['/_/a/b%20c.png', { kind: 'public', path: 'a/b c.png' }],
    ['/_/content/blog/x/a.png', { kind: 'content', path: 'blog/x/a.png' }],
    [
      '/_/https%3A%2F%2Fpictures.example%2Fa.png%3Fb%3Dc',
      { kind: 'remote', url: new URL('https://pictures.example/a.png?b=c') },
    ],
    [
      '/_/https://pictures.example/a.png',
      { kind: 'remote', url: new URL('https://pictures.example/a.png') },
    ],
  ])('%s names its source', (target, source) => expect(parse(target).source).toEqual(source))

  it.each([
    ...[
      'w_641',
      'w_0640',
      'w_-1',
      'w_1e3',
      'w_',
      'w_640.0',
      'w_Infinity',
      'w_99999',
      'h_100',
      'f_bmp',
      'f_svg',
      'f_AVIF',
      'f_',
      'q_99',
      'q_1',
      'q_101',
      'dpr_3',
      'dpr_0',
      'dpr_1.5',
      'v_xyz',
      'v_0123456789abc',
      'nope',
      'preset_nope',
      'constructor',
      '__proto__',
      'preset___proto__',
      'toString_1',
      'w_640,w_640',
      'photo,thumbnail',
      'w_640,',
      ',',
      'w_640,,photo',
      'W_640',
      's_640x640',
      'fit_cover',
      'blur_5',
    ].map((modifiers) => `/${modifiers}/a.png`),
    ...[
      '',
      '/',
      '//',
      '/_',
      '/_/',
      '/w_640',
      '/_//a.png',
      '/_/a//b.png',
      '/_/../a.png',
      '/_/..%2Fa.png',
      '/_/%2e%2e/a.png',
      '/_/a/..%2f..%2f..%2fetc/passwd',
      '/_/.env',
      '/_/a/.git/config',
      '/_/a\\b.png',
      '/_/..%5ca.png',
      '/_/%2Fetc%2Fpasswd',
      '/_/a%00.png',
      '/_/a%0d%0a.png',
      '/_/%ff',
      '/_/%',
      '/_/%e2%80',
      '/%ff/a.png',
      '/_/ftp%3A%2F%2Fx%2Fa.png',
      '/_/file%3A%2F%2F%2Fetc%2Fpasswd',
      '/_/data%3Aimage%2Fpng%3Bbase64%2Cx',
      '/_/javascript%3Aalert(1)',
      '/_/http%3A%2F%2F',
      '/_/http%3A%2F%2F%5B%3A%3A',
      '/_/http%3A%2F%2Fa%20b%2Fx',
    ],
  ])('%s is refused with 400', (target) => expect(statusOf(() => parse(target))).toBe(400))

  it('allows at most two hundred variants per source', () => {
    const seen = new Set<string>()
    for (let width = 1; width < 7000; width += 1)
      for (const density of ['', ',dpr_1', ',dpr_2']) {
        const target = `/w_${width}${density}/a.png`
        if (statusOf(() => parse(target)) === 200) seen.add(String(parse(target).variant.width))
      }
    expect(seen.size).toBeLessThanOrEqual(20)
    expect(Math.max(...[...seen].map(Number))).toBe(2 * breakpoints.xxl)
  })
})

describe('the format of an answer', () => {
  it.each([
    ['auto', 'png', 'image/avif,image/webp,*/*;q=0.8', 'avif'],
    ['auto', 'png', 'image/webp,*/*', 'webp'],
    ['auto', 'png', 'image/avif;q=0,image/webp', 'webp'],
    ['auto', 'png', 'IMAGE/AVIF', 'avif'],
    ['auto', 'png', '*/*', 'png'],
    ['auto', 'png', 'image/*', 'png'],
    ['auto', 'gif', '', 'gif'],
    ['source', 'jpeg', 'image/avif', 'jpeg'],
    ['webp', 'jpeg', '', 'webp'],
    ['jpeg', 'jpeg', '', 'jpeg'],
  ] as const)('%s of a %s for "%s" is %s', (wanted, source, accept, format) =>
    expect(chooseFormat(wanted, source, accept)).toBe(format),
  )
  it.each([
    ['png', 'jpeg'],
    ['gif', 'png'],
    ['jpeg', 'svg'],
  ] as const)('%s of a %s is not in the list', (wanted, source) =>
    expect(statusOf(() => chooseFormat(wanted, source, ''))).toBe(400),
  )
})

const picture: Picture = {
  provider: 'content',
  source: 'blog/x/a b.png',
  width: 1600,
  height: 900,
  version: '0123456789ab',
}

describe('imageUrl', () => {
  it('writes URLs that the proxy can parse', () => {
    const url = imageUrl('content', 'blog/x/a b.png', {
      width: 640,
      format: 'avif',
      density: 2,
      preset: 'photo',
      version: '0123456789ab',
    })
    expect(url).toBe('/_image/w_640,f_avif,dpr_2,photo,v_0123456789ab/content/blog/x/a%20b.png')
    expect(parse(url.slice('/_image'.length))).toEqual({
      variant: { width: 1280, format: 'avif', quality: 80, version: '0123456789ab' },
      source: { kind: 'content', path: 'blog/x/a b.png' },
    })
    expect(
      parse(imageUrl('remote', 'https://pictures.example/a.png?b=c&d').slice('/_image'.length))
        .source,
    ).toEqual({ kind: 'remote', url: new URL('https://pictures.example/a.png?b=c&d') })
  })
  it('throws for an unknown provider or preset, an unlisted width, and a source that is not a string', () => {
    expect(() => imageUrl('cloudinary' as 'public', '/a.png')).toThrow(
      'unknown image provider: cloudinary',
    )
    expect(() => imageUrl('public', '/a.png', { preset: 'poster' as 'photo' })).toThrow(
      'unknown image preset: poster',
    )
    expect(() => imageUrl('public', '/a.png', { preset: 'constructor' as 'photo' })).toThrow(
      'unknown image preset',
    )
    expect(() => imageUrl('public', '/a.png', { width: 641 })).toThrow('not an allowed width')
    for (const source of [undefined, null, 7, {}, ['a'], ''])
      expect(() => imageUrl('public', source as string)).toThrow(TypeError)
  })
})

describe('the sources of a picture', () => {
  it('are avif, then webp, in each width at both densities, and its own format', () => {
    const { sources, src } = pictureSources(picture, { widths: ['xs', 'mobile'], preset: 'photo' })
    expect(sources.map(({ type }) => type)).toEqual(['image/avif', 'image/webp'])
    expect(sources[0]?.srcSet.split(', ').map((candidate) => candidate.split(' ')[1])).toEqual([
      '320w',
      '640w',
      '767w',
      '1534w',
    ])
    for (const candidate of [src, ...sources.flatMap(({ srcSet }) => srcSet.split(', '))])
      expect(statusOf(() => parse((candidate.split(' ')[0] ?? '').slice('/_image'.length)))).toBe(
        200,
      )
  })
  it('never name a width above that of the image', () => {
    expect(offeredWidths({ width: 500 }, { widths: ['xs', 'mobile'] })).toEqual([320, 640])
    expect(
      pictureSources({ ...picture, width: 500 }, { widths: ['xs', 'mobile'] }).sources[0]?.srcSet,
    ).toMatch(/w_320\S* 320w, \S*w_640\S* 500w$/)
    expect(offeredWidths({ width: 9000 }, { widths: ['xxl'] })).toEqual([1536, 3072])
    expect(pictureSources({ ...picture, source: 'blog/x/a.svg' }, { widths: ['xs'] })).toEqual({
      sources: [],
      src: '/_image/v_0123456789ab/content/blog/x/a.svg',
    })
  })
  it('come in the widths of the breakpoints and nothing else', () =>
    expect(allowedWidths).toEqual([
      320, 530, 640, 767, 992, 1060, 1200, 1400, 1534, 1536, 1984, 2400, 2800, 3072,
    ]))
})
