import { randomBytes } from 'node:crypto'
import {
  cpSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import sharp from 'sharp'
import { animation, drawing, flatPng, noisyPicture } from '../../../testing/bad-pictures'
import { residentMemory } from '../../../testing/processes'
import { root } from '../../../testing/root'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { startStopwatch } from '../../../testing/stopwatch'
import { eventually, startTestSite, type Answer, type TestSite } from '../../../testing/site'

// Encoders have a low priority, and tests run next to other processes.
const content = temporaryFolder('content')
const article = join(content, 'blog', 'pictured')
const put = (name: string, bytes: Buffer): void => writeFileSync(join(article, name), bytes)
const markdown = (body: string): string =>
  `---\ntitle: "Pictured"\ndescription: "An article with pictures of every kind in it"\ndate: 2026-11-20\ncategory: proxies\ntags: [proxy]\ncover: photo.jpg\ncoverAlt: "Noise"\n---\n\n${body}\n`

let site: TestSite
let second: TestSite
/** Memory before the first image (MiB). */
let atRest: number
const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> =>
  site.get(`/_image/${path}`, { headers, method })
const at = (name: string): string => `content/blog/pictured/${name}`
const failure = ({ status, headers, body }: Answer) => ({
  status,
  type: headers['content-type'],
  cache: headers['cache-control'],
  ...(JSON.parse(body) as { code: number; data: null }),
  msg: undefined,
})
const refused = (status: number) =>
  expect.objectContaining({
    status,
    type: 'application/json; charset=utf-8',
    cache: 'no-store',
    data: null,
    code: expect.any(Number),
  })

beforeAll(async () => {
  cpSync(join(root, 'content'), content, { recursive: true, preserveTimestamps: true })
  mkdirSync(article, { recursive: true })
  writeFileSync(
    join(article, 'en.md'),
    markdown(
      '![A drawing](plan.svg)\n\n![Noise](photo.jpg "The caption")\n\nWords ![in line](dot.png) and ![gone](gone.png).\n\n![Elsewhere](https://pictures.example/a.png "=640x360")',
    ),
  )
  put('photo.jpg', await noisyPicture(1300, 700).jpeg().toBuffer())
  put(
    'dot.png',
    await sharp({ create: { width: 40, height: 30, channels: 4, background: '#2450e6' } })
      .png()
      .toBuffer(),
  )
  const plan = drawing('<rect width="320" height="180" fill="#2450e6"/>')
  put('plan.svg', plan)
  const drawn = join(content, 'blog', 'drawn')
  mkdirSync(drawn)
  writeFileSync(join(drawn, 'plan.svg'), plan)
  writeFileSync(join(drawn, 'en.md'), markdown('Words.').replace('photo.jpg', 'plan.svg'))
  site = await startTestSite({ CONTENT_DIR: content })
  second = await startTestSite({ CONTENT_DIR: content, DATA_DIR: site.dataDir })
  atRest = residentMemory(Number(site.child.pid))
}, 120_000)
afterAll(async () => {
  await second.stop()
  await site.stop()
  rmSync(content, { recursive: true, force: true })
})

describe('a picture', () => {
  it.each(['avif', 'webp', 'source'] as const)(
    'has the format %s and the requested width',
    async (format) => {
      const { status, headers, bytes } = await get(
        `w_640${format === 'source' ? '' : `,f_${format}`},photo/${at('photo.jpg')}`,
      )
      const type = format === 'source' ? 'jpeg' : format
      expect([
        status,
        headers['content-type'],
        headers['x-content-type-options'],
        headers.vary ?? '',
      ]).toEqual([200, `image/${type}`, 'nosniff', ''])
      expect(await sharp(bytes).metadata()).toMatchObject({
        width: 640,
        height: 345,
        format: type === 'avif' ? 'heif' : type,
      })
    },
  )

  it('has the best format that Accept names, with Vary: Accept', async () => {
    for (const [accept, type] of [
      ['image/avif,image/webp,*/*', 'image/avif'],
      ['image/webp', 'image/webp'],
      ['*/*', 'image/png'],
    ] as const) {
      const { headers } = await get(`w_320,f_auto/${at('dot.png')}`, { accept })
      expect([headers['content-type'], headers.vary]).toEqual([type, 'Accept'])
    }
  })

  it('is never enlarged', async () => {
    const { bytes } = await get(`w_1200,f_webp/${at('dot.png')}`)
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 40, height: 30 })
  })

  it('is immutable if its URL names the version, else revalidated', async () => {
    const [, version] =
      /,v_([0-9a-f]{12})\/content\/blog\/pictured\/photo\.jpg/.exec(
        (await site.get('/blog/pictured')).body,
      ) ?? []
    expect(
      (await get(`w_320,f_webp,v_${version}/${at('photo.jpg')}`)).headers['cache-control'],
    ).toBe('public, max-age=31536000, immutable')
    expect(
      (await get(`w_320,f_webp,v_000000000000/${at('photo.jpg')}`)).headers['cache-control'],
    ).toBe('public, max-age=3600, stale-while-revalidate=86400')
    const { headers } = await get(`w_320,f_webp/${at('photo.jpg')}`)
    for (const given of [headers.etag, `W/${headers.etag}`, `"a", ${headers.etag}`, '*']) {
      const again = await get(`w_320,f_webp/${at('photo.jpg')}`, { 'if-none-match': String(given) })
      expect([again.status, again.bytes.length, again.headers['cache-control']]).toEqual([
        304,
        0,
        headers['cache-control'],
      ])
    }
  })

  it('answers HEAD with the same headers and refuses other methods', async () => {
    const [whole, head] = [
      await get(`w_320,f_webp/${at('photo.jpg')}`),
      await get(`w_320,f_webp/${at('photo.jpg')}`, {}, 'HEAD'),
    ]
    expect([
      head.status,
      head.bytes.length,
      head.headers['content-length'],
      head.headers.etag,
    ]).toEqual([200, 0, String(whole.bytes.length), whole.headers.etag])
    const post = await get(`w_320,f_webp/${at('photo.jpg')}`, {}, 'POST')
    expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD'])
  })

  it('is encoded once for all requests at the same time, in both processes', async () => {
    const path = `/_image/w_992,f_avif,photo/${at('photo.jpg')}`
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => site.get(path)),
      ...Array.from({ length: 4 }, () => second.get(path)),
    ])
    expect(
      new Set(
        answers.map(({ status, headers, bytes }) => `${status} ${headers.etag} ${bytes.length}`),
      ).size,
    ).toBe(1)
    const files = readdirSync(join(site.dataDir, 'images'), { recursive: true })
      .map(String)
      .filter((name) => name.endsWith(String(answers[0]?.headers.etag).replaceAll('"', '')))
    expect(files).toHaveLength(1)
  })

  it.each([
    ['a width beside the list', `w_641/${at('photo.jpg')}`, 400],
    ['a format beside the list', `f_png/${at('photo.jpg')}`, 400],
    ['an unknown preset', `poster/${at('photo.jpg')}`, 400],
    ['an unknown provider', `_/s3%3A%2F%2Fa%2Fb.png`, 400],
    ['a path that leaves the folder', '_/content/..%2F..%2Fpackage.json', 400],
    ['a host that is not listed', '_/https%3A%2F%2Fpictures.example%2Fa.png', 403],
    ['this very machine', '_/http%3A%2F%2F127.0.0.1%2Fa.png', 403],
    ['nothing', at('photo.jpg'), 400],
    ['a picture that is not there', `_/${at('none.png')}`, 404],
    ['a text', `_/${at('en.md')}`, 415],
    ['a folder', '_/content/blog', 404],
    ["the site's configuration", '_/content/site.yaml', 404],
  ])('is refused as JSON for %s', async (_name, path, status) =>
    expect(failure(await get(path))).toEqual(refused(status)),
  )

  it('is not found through a symbolic link out of its folder', async () => {
    symlinkSync(join(root, 'docs', 'images', 'home.png'), join(article, 'link.png'))
    expect((await get(`_/${at('link.png')}`)).status).toBe(404)
  })
})

describe('a dangerous or broken file', () => {
  const decided = async (name: string, bytes: Buffer, status: number): Promise<Answer> => {
    put(name, bytes)
    const elapsed = startStopwatch()
    const answer = await get(`w_320,f_webp/${at(name)}`)
    expect([name, answer.status]).toEqual([name, status])
    // Takes two seconds on an idle machine; this one may be shared.
    expect(elapsed()).toBeLessThan(status === 200 ? 20_000 : 8000)
    if (status !== 200) expect(failure(answer)).toEqual(refused(status))
    return answer
  }
  it('is too large: 20,000 × 20,000 points in a few KB', () =>
    decided('huge.png', flatPng(20_000, 20_000), 413))
  it('is too large: more than 20 MB', () =>
    decided('heavy.png', Buffer.concat([flatPng(10, 10), Buffer.alloc(21 * 1024 * 1024)]), 413))
  it('is accepted at the size limit', async () =>
    expect(
      await sharp((await decided('large.png', flatPng(10_000, 4_999), 200)).bytes).metadata(),
    ).toMatchObject({ width: 320, height: 160 }))
  it('is a megabyte of random bytes', () => decided('random.png', randomBytes(1024 * 1024), 415))
  it.each(['png', 'jpeg', 'gif', 'webp', 'avif'] as const)(
    'is a %s cut off in its middle',
    async (format) => {
      const bytes = await noisyPicture(400, 300).toFormat(format).toBuffer()
      put(`cut.${format}`, bytes.subarray(0, Math.floor(bytes.length / 2)))
      // Some decoders show the part that exists. Either answer is fine.
      expect([200, 415]).toContain((await get(`w_320,f_webp/${at(`cut.${format}`)}`)).status)
      put(`stub.${format}`, bytes.subarray(0, 40))
      expect((await get(`w_320,f_webp/${at(`stub.${format}`)}`)).status).toBe(415)
    },
  )
  it.each(['gif', 'webp'] as const)(
    'is a %s of 2,000 frames, of which the first is kept',
    async (format) => {
      const { bytes } = await decided(`moving.${format}`, await animation(format, 2000, 16), 200)
      expect((await sharp(bytes).metadata()).pages ?? 1).toBe(1)
    },
  )
  it('is a drawing with an external entity', () =>
    decided(
      'entity.svg',
      drawing(
        '<text>&x;</text>',
        '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
      ),
      415,
    ))
  it('is a drawing with exponential entities', () =>
    decided(
      'laughs.svg',
      drawing(
        '<text>&c;</text>',
        `<!DOCTYPE svg [<!ENTITY a "${'x'.repeat(99)}"><!ENTITY b "${'&a;'.repeat(99)}"><!ENTITY c "${'&b;'.repeat(99)}">]>`,
      ),
      415,
    ))
  it('is a drawing with a script: bitmaps have none, and the SVG itself cannot run it', async () => {
    expect(
      (
        await decided(
          'script.svg',
          drawing(
            '<script>fetch("/api")</script><image href="file:///etc/passwd" width="9" height="9"/><rect width="9" height="9"/>',
          ),
          200,
        )
      ).headers['content-type'],
    ).toBe('image/webp')
    for (const path of [`/_image/_/${at('script.svg')}`, '/favicon.svg']) {
      const { headers } = await site.get(path)
      expect([path, headers['content-type'], headers['content-security-policy']]).toEqual([
        path,
        'image/svg+xml',
        "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      ])
    }
  })
  it('leaves the site running with at most 100 MB more memory', async () => {
    expect((await site.get('/blog')).status).toBe(200)
    await eventually(() =>
      expect(residentMemory(Number(site.child.pid))).toBeLessThan(atRest + 100),
    )
  })
})

describe('images in pages', () => {
  it('have formats, widths and sizes, and load lazily in articles', async () => {
    const { body } = await site.get('/blog/pictured')
    const prose = body.slice(body.indexOf('class="prose"'))
    expect(prose).toMatch(
      /<figure><picture class="picture"><source type="image\/avif" srcset="[^"]*320w, [^"]*1300w" sizes="[^"]+"><source type="image\/webp"[^>]*><img src="\/_image\/w_640,photo,v_[0-9a-f]{12}\/content\/blog\/pictured\/photo\.jpg" alt="Noise" width="1300" height="700" loading="lazy" decoding="async"><\/picture><figcaption>The caption<\/figcaption><\/figure>/,
    )
    expect(prose).toMatch(
      /<img src="\/_image\/v_[0-9a-f]{12}\/content\/blog\/pictured\/plan\.svg" alt="A drawing" width="320" height="180"/,
    )
    expect(prose).toMatch(
      /Words <picture.*alt="in line" width="40" height="30".*<\/picture> and gone\./,
    )
    expect(prose).toMatch(
      /https%3A%2F%2Fpictures\.example%2Fa\.png" alt="Elsewhere" width="640" height="360"/,
    )
    // One width of each format and picture: the large ones take seconds each to encode, and on a
    // busy machine all of them together take longer than a test may.
    const addresses = new Map<string, string>()
    for (const address of prose.match(/\/_image\/[^"\s]*content[^"\s]*/g) ?? []) {
      const kind = address.replace(/w_\d+/, '')
      if (!addresses.has(kind)) addresses.set(kind, address)
    }
    for (const address of addresses.values())
      expect([address, (await site.get(address)).status]).toEqual([address, 200])
  }, 60_000)

  it('that are missing are reported with their line, and the article is served', () =>
    eventually(() =>
      expect(
        [...site.logs, ...second.logs].some(({ msg }) =>
          /problem: content\/blog\/pictured\/en\.md:15: .*gone\.png is not there/.test(msg),
        ),
      ).toBe(true),
    ))

  it('preload the cover', async () => {
    const { body } = await site.get('/blog/pictured')
    expect(body).toMatch(
      /<link rel="preload" as="image"[^>]*imageSrcSet="[^"]*f_avif,photo[^"]*"[^>]*fetchPriority="high"|<link rel="preload" as="image"[^>]*fetchPriority="high"[^>]*imageSrcSet="[^"]*f_avif,photo[^"]*"/i,
    )
    expect(body).toMatch(/<img [^>]*alt="Noise"[^>]*fetchPriority="high"/i)
    const [preload] = /<link rel="preload"[^>]* as="image"[^>]*>/.exec(
      (await site.get('/blog/drawn')).body,
    ) ?? ['']
    expect(preload).toMatch(/ href="\/_image\/v_[0-9a-f]{12}\/content\/blog\/drawn\/plan\.svg"/)
    expect(preload).toMatch(/ fetchPriority="high"/i)
  })

  it('get a new URL as soon as the file changes', async () => {
    const before = /v_[0-9a-f]{12}\/content\/blog\/pictured\/dot\.png/.exec(
      (await site.get('/blog/pictured')).body,
    )?.[0]
    put(
      'dot.png',
      await sharp({ create: { width: 44, height: 33, channels: 3, background: '#ff9a4d' } })
        .png()
        .toBuffer(),
    )
    await eventually(async () => {
      const { body } = await site.get('/blog/pictured')
      expect(body).toContain('width="44" height="33"')
      expect(body).not.toContain(before)
    })
  })

  it('of the starter articles are encoded before the first visit', async () => {
    const { body } = await site.get('/blog')
    const addresses = [
      ...new Set(body.match(/\/_image\/[^"\s]*choosing-a-proxy-type[^"\s]*/g) ?? []),
    ]
    expect(addresses.length).toBeGreaterThan(6)
    for (const address of addresses) expect((await site.get(address)).status).toBe(200)
    const lines = await eventually(() => {
      const found = site.logs.filter((line) => addresses.includes(String(line['path'])))
      expect(found.length).toBeGreaterThanOrEqual(addresses.length)
      return found
    })
    expect(lines.filter((line) => line['cache'] !== 'hit')).toEqual([])
  })
})

describe('covers', () => {
  it('have the sizes that the specification states for quality 80 instead of 100', async () => {
    const specification = readFileSync(join(root, 'docs', 'specification.md'), 'utf8')
    const rows = [
      ...specification.matchAll(/^\| (avif|webp) +\| (\d+) +\| ([\d,]+) +\| ([\d,]+) +\|$/gm),
    ].map(([, format = '', width = '', at80 = '', at100 = '']) => ({
      format,
      width,
      at80: Number(at80.replaceAll(',', '')),
      at100: Number(at100.replaceAll(',', '')),
    }))
    expect(rows.length).toBe(4)
    const covers = globSync('content/*/*/cover.png', { cwd: root })
    const bytesAt = async (modifiers: string, cover: string): Promise<number> =>
      (await site.get(`/_image/${modifiers}/${cover}`)).bytes.length
    for (const { format, width, at80, at100 } of rows) {
      const variant = `w_${width},f_${format}`
      const sizes = await Promise.all(covers.map((cover) => bytesAt(`${variant},photo`, cover)))
      const sum = sizes.reduce((total, size) => total + size, 0)
      // Another version of the encoders may give slightly different sizes.
      expect(Math.abs(sum / at80 - 1)).toBeLessThan(0.05)
      // All covers at quality 100 would take long, so one narrow variant is compared.
      if (width !== '640') continue
      const best = await bytesAt(`${variant},q_100`, covers[0] ?? '')
      expect(best / (sizes[0] ?? 0)).toBeGreaterThan((at100 / at80) * 0.7)
    }
  }, 60_000)
})

describe('the variant store on disk', () => {
  it('has only complete files, named by their keys', () => {
    const names = readdirSync(join(site.dataDir, 'images'), {
      recursive: true,
      withFileTypes: true,
    })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
    expect(names.filter((name) => !/^[0-9a-f]{32}$|^images\.db(-wal|-shm)?$/.test(name))).toEqual(
      [],
    )
    expect(statSync(join(site.dataDir, 'images')).isDirectory()).toBe(true)
  })
})
