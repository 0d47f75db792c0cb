import { describe, expect, it } from '@jest/globals'
import { startFingerprintLog } from '../../client/analytics/fingerprint'
import { redactUrl } from '../../client/analytics/redact-url'
import { createStore } from '../../client/platform/store'
import { memoryStorage } from '../../testing/memory-storage'

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

describe('the fingerprint log', () => {
  const attributes = {
    platform: 'Linux',
    languages: 'en',
    time_zone: 'UTC',
    colour_depth: 24,
    screen: '1200x800',
    touch: false,
    cores: 'some',
  }
  const start = (allowed: boolean | null, privacyControl = false) => {
    const sent: unknown[] = []
    const storage = memoryStorage()
    const gate = createStore<boolean | null>(allowed)
    const deps = {
      consent: { allowed: gate, choice: createStore<'accepted' | 'refused' | null>(null) },
      privacyControl,
      attributes: () => attributes,
      storage,
      api: {
        postForm: (_: string, fields: Readonly<Record<string, string>>) =>
          Promise.resolve(sent.push(fields)),
      },
    }
    startFingerprintLog(deps)
    return { sent, gate, again: () => startFingerprintLog(deps) }
  }
  it('is sent once per value', () => {
    const { sent, again } = start(true)
    again()
    expect(sent).toHaveLength(1)
  })
  it('waits for consent', () => {
    const { sent, gate } = start(null)
    expect(sent).toEqual([])
    gate.set(true)
    expect(sent).toHaveLength(1)
  })
  it('is never sent under Global Privacy Control or after a refusal', () => {
    expect([start(true, true).sent, start(false).sent]).toEqual([[], []])
  })
})
