import { describe, expect, it } from '@jest/globals'
import { createBuildFreshness } from '../../../client/navigation/build-freshness'
import { createNavigation } from '../../../client/navigation/navigation'
import { resolveTarget, type ResolvedTarget } from '../../../client/navigation/resolve-target'
import { buildFreshness } from '../../../shared/constants'
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
    [
      'a missing page that cannot be shown is loaded',
      () => ({ statusCode: 404 }),
      1,
      'https://site.test/1',
    ],
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

/** Starts the check for a newer build. Its server answers every request with `answer`. */
function startFreshness({ isOffline = false, answer }: { isOffline?: boolean; answer: unknown }) {
  const clock = fakeClock()
  const requests: string[] = []
  const failures: string[] = []
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  const freshness = createBuildFreshness({
    buildId,
    // A fake of the members that are used.
    document: document as Document,
    clock,
    fetch: (url) => {
      if (typeof url === 'string') requests.push(url)
      return answer instanceof Promise ? answer : Promise.resolve(Response.json(answer))
    },
    now: () => 0,
    isOffline: () => isOffline,
    onFailure: (url, error) => failures.push(`${url} ${String(error)}`),
  })
  return { clock, document, freshness, requests, failures }
}

describe('the question for the latest build before a prefetched page', () => {
  it('is waited for at most 150 ms', async () => {
    const { clock, freshness } = startFreshness({ answer: new Promise(() => undefined) })
    let isDone = false
    void freshness.confirm().then(() => (isDone = true))
    await clock.pass(149)
    expect(isDone).toBe(false)
    await clock.pass(1)
    await clock.pass(0)
    expect(isDone).toBe(true)
  })

  it.each([
    [false, ['/builds/latest.json Error: the answer names no build']],
    [true, []],
  ])('reports an answer that names no build, unless offline (%s)', async (isOffline, expected) => {
    const { freshness, failures } = startFreshness({ isOffline, answer: { id: 'c' } })
    await freshness.confirm()
    expect([failures, freshness.isStale()]).toEqual([expected, false])
  })

  it('is asked until it is stopped', async () => {
    const { clock, document, freshness, requests } = startFreshness({
      answer: { id: buildId, timestamp: 1 },
    })
    const stop = freshness.start()
    const show = (): boolean => document.dispatchEvent(new Event('visibilitychange'))
    await clock.pass(buildFreshness.pollIntervalMs)
    show()
    const asked = ['/builds/meta/b.json', '/builds/latest.json?0', '/builds/latest.json?0']
    expect(requests).toEqual(asked)
    stop()
    show()
    await clock.pass(2 * buildFreshness.pollIntervalMs)
    expect(requests).toEqual(asked)
  })
})
