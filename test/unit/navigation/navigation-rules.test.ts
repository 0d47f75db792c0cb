import { describe, expect, it } from '@jest/globals'
import { createBuildFreshness } from '../../../client/navigation/build-freshness'
import { createNavigation } from '../../../client/navigation/navigation'
import { resolveTarget, type ResolvedTarget } from '../../../client/navigation/resolve-target'
import type { Payload } from '../../../shared/payload'
import { fakeClock } from '../../../testing/fake-clock'

const buildId = 'b'
/** Resolves the target of a click on `/1`, where each payload is what `answer` says. */
async function resolve(answer: (path: string) => object) {
  const requests: string[] = []
  const target = await resolveTarget(new URL('https://site.test/1'), new AbortController().signal, {
    payloads: {
      get: ({ pathname }) => {
        requests.push(pathname)
        return Promise.resolve({
          buildId,
          locale: 'en',
          route: 'faq',
          ...answer(pathname),
        } as Payload)
      },
    },
    buildId,
    locale: 'en',
    guessRoute: () => null,
    canShow: (route) => route === 'faq',
    loadPage: () => Promise.resolve(() => null),
    fetchNotFoundPage: () => Promise.reject(new Error('not asked for')),
  })
  return { requests, kind: target.kind, address: 'address' in target ? target.address : null }
}
const redirect = (location: string, external = false): object => ({
  redirect: { location, status: 301, external },
})
const next = (path: string): object => redirect(`/${Number(path.slice(1)) + 1}`)

describe('a click', () => {
  it.each([
    [
      'a redirect is followed in place',
      (path: string) => (path === '/1' ? next(path) : {}),
      2,
      null,
    ],
    ['a fifth redirect in a row is loaded', next, 5, 'https://site.test/6'],
    [
      'an address of another site is loaded',
      () => redirect('https://other.test/', true),
      1,
      'https://other.test/',
    ],
    ['another language is loaded', () => ({ locale: 'es' }), 1, 'https://site.test/1'],
    ['a page that cannot be shown is loaded', () => ({ route: 'home' }), 1, 'https://site.test/1'],
    ['another build is loaded', () => ({ buildId: 'c' }), 1, 'https://site.test/1'],
  ])('%s', async (_name, answer, requests, address) => {
    const resolved = await resolve(answer)
    expect([resolved.requests.length, resolved.kind, resolved.address]).toEqual([
      requests,
      address === null ? 'page' : 'load',
      address,
    ])
  })
})

/** A navigation whose pages resolve at once; records what it loads, shows and reports. */
function recordNavigation({ isStale = false, show = (): void => undefined }) {
  const calls: string[] = []
  const navigation = createNavigation({
    bar: { start: () => undefined, finish: () => undefined, fail: () => undefined },
    now: () => 0,
    hasPayload: () => false,
    confirmBuild: () => Promise.resolve(),
    isStale: () => isStale,
    isOffline: () => false,
    // Cast: neither payload nor component is used.
    resolve: (url) => Promise.resolve({ kind: 'page', page: { url } } as ResolvedTarget),
    show: ({ url }) => {
      calls.push(`show ${url.pathname}`)
      show()
    },
    load: (address) => calls.push(`load ${address}`),
    onOffline: () => calls.push('offline'),
    onPayloadFailure: (_url, error) => calls.push(`report ${String(error)}`),
    onCodeFailure: () => calls.push('code failure'),
  })
  return {
    calls,
    open: (path: string) => navigation.open(new URL(path, 'https://site.test'), 'push'),
  }
}

describe('a navigation', () => {
  it('to a later build loads the page again when the visitor stopped the load', async () => {
    const { calls, open } = recordNavigation({ isStale: true })
    await open('/1')
    await open('/1')
    expect(calls).toEqual(['load https://site.test/1', 'load https://site.test/1'])
  })
  it('reports a page that cannot be shown, and loads it', async () => {
    const { calls, open } = recordNavigation({
      show: () => {
        throw new Error('no')
      },
    })
    await open('/1')
    expect(calls).toEqual(['show /1', 'report Error: no', 'load https://site.test/1'])
  })
  it('that a later one supersedes shows nothing', async () => {
    const { calls, open } = recordNavigation({})
    await Promise.all([open('/1'), open('/2')])
    expect(calls).toEqual(['show /2'])
  })
})

describe('the question for the latest build before a prefetched page', () => {
  it('is waited for at most 150 ms', async () => {
    const clock = fakeClock()
    const freshness = createBuildFreshness({
      buildId,
      document: new EventTarget() as Document,
      clock,
      fetch: () => new Promise(() => undefined),
      now: () => 0,
      onFailure: () => undefined,
    })
    let isDone = false
    void freshness.confirm().then(() => (isDone = true))
    await clock.pass(149)
    expect(isDone).toBe(false)
    await clock.pass(1)
    await clock.pass(0)
    expect(isDone).toBe(true)
  })
})
