import { describe, expect, it, jest } from '@jest/globals'
import { createHash, webcrypto } from 'node:crypto'
import {
  readCoarseAttributes,
  startFingerprintLog,
  type CoarseAttributes,
} from '../../../client/analytics/fingerprint'
import { redactUrl } from '../../../client/analytics/redact-url'
import { createStore } from '../../../client/platform/store'
import { memoryStorage } from '../../../testing/memory-storage'

describe('a redacted URL', () => {
  it.each([
    ['https://a.test/p?x=1#frag', 'https://a.test/p?x=1'],
    ['https://user:pass@a.test/?cpl=1&token=2&email=x@y.z&ref=k', 'https://a.test/?ref=k'],
    [
      'https://a.test/register?from=https%3A%2F%2Fb.test%2F%3Fcpl%3D1%23x',
      'https://a.test/register?from=https%3A%2F%2Fb.test%2F',
    ],
    ['mailto:someone@a.test', 'mailto:'],
    ['javascript:alert(1)', 'javascript:'],
    ['not an address', ''],
  ])('of %s is %s', (address, redacted) => expect(redactUrl(address)).toBe(redacted))
})

describe('the coarse attributes', () => {
  const read = (cores: number, width: number): CoarseAttributes =>
    // Cast: the window has hundreds of other attributes.
    readCoarseAttributes({
      navigator: {
        hardwareConcurrency: cores,
        languages: ['th', 'en', 'de', 'fr'],
        maxTouchPoints: 1,
        platform: 'Linux',
      },
      screen: { width, height: 800, colorDepth: 24 },
    } as unknown as Window)

  it.each([
    [-420, 'UTC+07:00'],
    [210, 'UTC-03:30'],
    [0, 'UTC+00:00'],
  ])('have, with an offset of %s minutes, the time zone %s', (minutes, timeZone) => {
    const offset = jest.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(minutes)
    expect(read(4, 1366).time_zone).toBe(timeZone)
    offset.mockRestore()
  })
  it('are the same for thousands of visitors', () => {
    expect(read(16, 1366)).toMatchObject({
      cores: 'many',
      languages: 'th,en,de',
      screen: '1400x800',
      touch: true,
    })
    expect([read(0, 360).cores, read(8, 360).cores]).toEqual(['few', 'some'])
  })
})

describe('the fingerprint log', () => {
  const attributes: CoarseAttributes = {
    platform: 'Linux',
    languages: 'en',
    time_zone: 'UTC+07:00',
    color_depth: 24,
    screen: '1200x800',
    touch: false,
    cores: 'some',
  }
  type Fields = Readonly<Record<string, string>>
  const start = async (allowed: boolean | null, privacyControl = false) => {
    const sent: Fields[] = []
    const storage = memoryStorage()
    const gate = createStore<boolean | null>(allowed)
    let current = attributes
    let answer = (): Promise<unknown> => Promise.resolve()
    const run = async (): Promise<void> => {
      startFingerprintLog({
        consent: { allowed: gate },
        privacyControl,
        attributes: () => current,
        storage,
        subtle: {
          digest: (algorithm, bytes) => (hashing = webcrypto.subtle.digest(algorithm, bytes)),
        },
        api: { postForm: (_, fields) => (sent.push(fields), answer()) },
      })
      await settled()
    }
    await run()
    return {
      sent,
      gate,
      again: run,
      change: (value: Partial<CoarseAttributes>) => void (current = { ...current, ...value }),
      fail: (fails: boolean) =>
        void (answer = () => (fails ? Promise.reject(new Error('offline')) : Promise.resolve())),
    }
  }
  let hashing: Promise<unknown> = Promise.resolve()
  /** Waits for the hash, and then a moment for the request that carries it. */
  const settled = async (): Promise<void> => {
    await hashing
    await new Promise((resolve) => setTimeout(resolve, 20))
  }

  it('carries the attributes and their hash, as JSON and as base64 of that JSON', async () => {
    const { sent } = await start(true)
    const hash = createHash('sha256').update(JSON.stringify(attributes)).digest('hex')
    const [{ log_type, data = '', base_encode = '' } = {}] = sent
    expect(log_type).toBe('fingerprint')
    expect(JSON.parse(data)).toEqual({ ...attributes, hash })
    expect(Buffer.from(base_encode, 'base64').toString()).toBe(data)
  })
  it('is sent once per value, also by later pages', async () => {
    const { sent, again, change } = await start(true)
    await again()
    expect(sent).toHaveLength(1)
    change({ time_zone: 'UTC+01:00' })
    await again()
    await again()
    expect(sent).toHaveLength(2)
  })
  it('is sent again by a later page when it did not arrive', async () => {
    const { sent, again, change, fail } = await start(true)
    fail(true)
    change({ touch: true })
    await again()
    fail(false)
    await again()
    await again()
    expect(sent).toHaveLength(3)
  })
  it('stays within 2 KiB for attributes of any length', async () => {
    const { sent, again, change } = await start(true)
    change({ platform: '界'.repeat(3000), languages: 'x'.repeat(3000) })
    await again()
    expect(sent.map(({ data = '' }) => Buffer.byteLength(data) <= 2048)).toEqual([true, true])
  })
  it('waits for consent', async () => {
    const { sent, gate } = await start(null)
    expect(sent).toEqual([])
    gate.set(true)
    await settled()
    expect(sent).toHaveLength(1)
  })
  it('is never sent under Global Privacy Control or after a refusal', async () => {
    expect([(await start(true, true)).sent, (await start(false)).sent]).toEqual([[], []])
  })
})
