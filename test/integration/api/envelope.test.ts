import {
  createCipheriv,
  createPublicKey,
  constants,
  publicEncrypt,
  randomBytes,
  randomUUID,
} from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Envelope, PublicKey } from '../../../shared/envelope'
import { callApi, sealFor, type ApiAnswer } from '../../../testing/call-api'
import { startTestSite, type TestSite } from '../../../testing/site'

let site: TestSite
let seal: (text: string) => Promise<Envelope>
let spki = ''
beforeAll(async () => {
  site = await startTestSite({ RATE_EVENTS: '100000' })
  seal = await sealFor(site.port)
  spki = ((await callApi(site.port, '/sys/config/public-key')).data as PublicKey).spki
}, 60_000)
afterAll(() => site.stop())

const view = (more: object = {}): object => ({
  id: randomUUID(),
  ts: Date.now(),
  kind: 'view',
  op: 0,
  url: 'http://localhost/',
  title: 'Home',
  referrer: '',
  duration: 12,
  trigger: 'load',
  addition: {},
  ...more,
})
const batchOf = (
  list: unknown,
  comm: unknown = { device_id: 'device-number-1', locale: 'en' },
): string => JSON.stringify({ list, comm })
const post = (form: Record<string, string>): Promise<ApiAnswer> =>
  callApi(site.port, '/sys/config/event', { form })
const send = async (text: string): Promise<ApiAnswer> => post(await seal(text))

type EnvelopeOptions = {
  iv?: number
  tag?: number
  key?: number
  hash?: string
  padding?: number
  cipher?: 'aes-256-gcm' | 'aes-128-gcm'
}
/** Seals an envelope with options that browsers do not use. */
function sealWith(
  text: string,
  {
    iv = 12,
    tag = 16,
    key = 32,
    hash = 'sha256',
    padding = constants.RSA_PKCS1_OAEP_PADDING,
    cipher = 'aes-256-gcm',
  }: EnvelopeOptions = {},
): Envelope {
  const secret = randomBytes(key)
  const vector = randomBytes(iv)
  const gcm = createCipheriv(cipher, secret, vector, { authTagLength: tag })
  const sealed = Buffer.concat([vector, gcm.update(text), gcm.final(), gcm.getAuthTag()])
  const wrapped = publicEncrypt(
    {
      key: createPublicKey({ key: Buffer.from(spki, 'base64'), format: 'der', type: 'spki' }),
      padding,
      ...(padding === constants.RSA_PKCS1_OAEP_PADDING ? { oaepHash: hash } : {}),
    },
    secret,
  )
  return { _t: wrapped.toString('base64url'), _a: sealed.toString('base64url') }
}
const flipBit = (text: string, at: number): string => {
  const bytes = Buffer.from(text, 'base64url')
  bytes.writeUInt8((bytes.at(at) ?? 0) ^ 1, at < 0 ? bytes.length + at : at)
  return bytes.toString('base64url')
}

describe('an envelope', () => {
  it('sealed independently according to the specification is opened', async () => {
    expect((await post(sealWith(batchOf([view()])))).data).toEqual({ accepted: 1, refused: 0 })
  })

  it('is refused with the same bytes, whatever is wrong with it', async () => {
    const good = sealWith(batchOf([view()]))
    const wrong: Record<string, Record<string, string>> = {
      nothing: {},
      'no _t': { _a: good._a },
      'no _a': { _t: good._t },
      'empty _t': { _t: '', _a: good._a },
      'empty _a': { _t: good._t, _a: '' },
      'no base64': { _t: '!!!!', _a: good._a },
      'standard alphabet': { _t: good._t, _a: `${good._a}+/` },
      padding: { _t: `${good._t}==`, _a: good._a },
      'trailing bits': { _t: good._t, _a: good._a.slice(0, -1) },
      'short key': { _t: good._t.slice(0, 40), _a: good._a },
      'long key': { _t: good._t + good._t, _a: good._a },
      'changed key, first byte': { _t: flipBit(good._t, 0), _a: good._a },
      'changed key, last byte': { _t: flipBit(good._t, -1), _a: good._a },
      'zero key': { _t: Buffer.alloc(256).toString('base64url'), _a: good._a },
      'largest key': { _t: Buffer.alloc(256, 255).toString('base64url'), _a: good._a },
      'changed IV': { _t: good._t, _a: flipBit(good._a, 0) },
      'changed text': { _t: good._t, _a: flipBit(good._a, 20) },
      'changed tag': { _t: good._t, _a: flipBit(good._a, -1) },
      'cut tag': {
        _t: good._t,
        _a: Buffer.from(good._a, 'base64url').subarray(0, -4).toString('base64url'),
      },
      'IV alone': { _t: good._t, _a: randomBytes(12).toString('base64url') },
      'one byte': { _t: good._t, _a: 'AA' },
      swapped: { _t: good._a, _a: good._t },
      'key of another': { _t: sealWith('{}')._t, _a: good._a },
      '4 byte tag': sealWith(batchOf([view()]), { tag: 4 }),
      '8 byte tag': sealWith(batchOf([view()]), { tag: 8 }),
      '12 byte tag': sealWith(batchOf([view()]), { tag: 12 }),
      '16 byte IV': sealWith(batchOf([view()]), { iv: 16 }),
      '8 byte IV': sealWith(batchOf([view()]), { iv: 8 }),
      '128 bit key': sealWith(batchOf([view()]), { key: 16, cipher: 'aes-128-gcm' }),
      'OAEP with SHA-1': sealWith(batchOf([view()]), { hash: 'sha1' }),
      'OAEP with SHA-512': sealWith(batchOf([view()]), { hash: 'sha512' }),
      'PKCS #1 padding': sealWith(batchOf([view()]), { padding: constants.RSA_PKCS1_PADDING }),
    }
    const answers = await Promise.all(
      Object.entries(wrong).map(async ([name, form]) => ({ name, ...(await post(form)) })),
    )
    expect(answers.filter(({ status }) => status !== 400).map(({ name }) => name)).toEqual([])
    expect(new Set(answers.map(({ text }) => text))).toEqual(
      new Set(['{"code":40003,"msg":"The message could not be read","data":null}']),
    )
  })

  it('does not reveal by timing whether the key or the text was wrong', async () => {
    const good = sealWith(batchOf([view()]))
    const badKey = { _t: flipBit(good._t, 40), _a: good._a }
    const badText = { _t: good._t, _a: flipBit(good._a, 40) }
    const msOf = async (form: Record<string, string>): Promise<number> => {
      const started = performance.now()
      await post(form)
      return performance.now() - started
    }
    // Both kinds take turns, and the shortest times are compared: other work on the machine makes a
    // request longer, never shorter.
    const times: Array<{ key: number; text: number }> = []
    for (let round = 0; round < 25; round += 1)
      times.push({ key: await msOf(badKey), text: await msOf(badText) })
    const shortest = (of: 'key' | 'text'): number => Math.min(...times.map((time) => time[of]))
    // Coarse: a private operation in JavaScript takes 36 ms.
    expect(Math.abs(shortest('key') - shortest('text'))).toBeLessThan(15)
  }, 60_000)
})

describe('an analytics batch', () => {
  it('accepts the four kinds and refuses other events one by one', async () => {
    const list = [
      view(),
      view({ kind: 'click', op: 3, content: 'Download', target_url: '/download' }),
      view({ kind: 'expose', op: 5 }),
      view({ kind: 'error', op: 6, error_type: 100102, message: 'x is not defined' }),
      view({ kind: 'purchase' }),
      view({ op: 3 }),
      view({ id: 'no-uuid' }),
      view({ addition: 'text' }),
      view({ addition: [] }),
      view({ ts: 'now' }),
      'text',
      null,
      7,
    ]
    expect((await send(batchOf(list))).data).toEqual({ accepted: 4, refused: 9 })
  })

  it('counts a resent event as accepted', async () => {
    const same = view()
    expect((await send(batchOf([same, same, view()]))).data).toEqual({ accepted: 3, refused: 0 })
    expect((await send(batchOf([same]))).data).toEqual({ accepted: 1, refused: 0 })
  })

  it.each([
    ['no events', batchOf([]), 'list: 1 to 20 events'],
    ['21 events', batchOf(Array.from({ length: 21 }, () => view())), 'list: 1 to 20 events'],
    ['no list', JSON.stringify({ comm: {} }), 'list: a list of events'],
    ['an object instead of a list', batchOf({ length: 1 }), 'list: a list of events'],
    ['no context', JSON.stringify({ list: [view()] }), 'comm: an object'],
    [
      'user_info that is no object',
      batchOf([view()], { user_info: 'x' }),
      'comm.user_info: an object',
    ],
    [
      'a width that is no number',
      batchOf([view()], { screen_width: 'x' }),
      'comm.screen_width: a number',
    ],
    ['an id that is no text', batchOf([view()], { user_id: {} }), 'comm.user_id: a text'],
    ['no text', '', '_a: the JSON text of an object'],
    ['no JSON', 'hello', '_a: the JSON text of an object'],
    ['a list', '[]', '_a: the JSON text of an object'],
    [
      'JSON 40 deep',
      `{"list":${'['.repeat(40)}${']'.repeat(40)}}`,
      '_a: the JSON text of an object',
    ],
  ])('is refused with %s', async (_name, text, message) => {
    expect(await send(text)).toMatchObject({ status: 400, msg: message })
  })

  it('accepts 20 events of 1.7 KB, and refuses more than 40 KiB', async () => {
    const of = (bytes: number): string =>
      batchOf(Array.from({ length: 20 }, () => view({ addition: { text: 'x'.repeat(bytes) } })))
    expect((await send(of(1700))).status).toBe(200)
    expect((await send(of(2100))).status).toBe(413)
  })

  it('truncates long texts and removes NUL characters', async () => {
    expect(
      (
        await send(
          batchOf([
            view({ title: 'x'.repeat(5000), url: `http://localhost/\0${'y'.repeat(5000)}` }),
          ]),
        )
      ).data,
    ).toEqual({ accepted: 1, refused: 0 })
  })
})
