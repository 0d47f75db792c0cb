import { Agent, request } from 'node:http'
import { flushCompileCache } from 'node:module'
import { hostNames, type HostName } from '../../shared/i18n/locales'
import type { PageServices } from './page-services'

/**
 * `delayMs`: time from readiness to the first page, because visitors come first. `pauseMs`:
 * shortest time between two pages.
 */
export type WarmPace = { delayMs?: number; pauseMs?: number }

/** After a slow page the pause is this many times as long as the page took. */
const pauseFactor = 4

type Services = Pick<PageServices, 'build' | 'cache' | 'hosts' | 'log'>

const wait = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, milliseconds)
    signal.addEventListener('abort', finish, { once: true })
  })

/**
 * Requests a page. Resolves when the response is complete or failed; failures are already logged.
 */
const fetchPage = (
  agent: Agent,
  port: number,
  host: string,
  path: string,
  signal: AbortSignal,
): Promise<void> =>
  new Promise((resolve) => {
    const finish = (): void => resolve()
    const headers = { host, 'user-agent': 'warming' }
    request({ agent, host: '127.0.0.1', port, path, signal, headers }, (response) => {
      response.resume().once('error', finish).once('close', finish)
    })
      .once('error', finish)
      .end()
  })

/** Paths of all hosts in turn, so that no language waits for all pages of another one. */
function warmPages({ warm }: Services['build']): Array<{ host: HostName; path: string }> {
  const longest = Math.max(...hostNames.map((host) => warm[host].length))
  return Array.from({ length: longest }, (_, index) =>
    hostNames.flatMap((host) => {
      const path = warm[host][index]
      return path === undefined ? [] : [{ host, path }]
    }),
  ).flat()
}

/**
 * Renders the pages that the build names (home, lists, landing pages of all languages) before
 * visitors request them, through the real pipeline: one at a time and with pauses, so that visitors
 * do not notice. Closes the listener at the end. `pace` null: no warming. Returns a function that
 * stops it.
 */
export function startWarming(
  services: Services,
  { port, close }: { port: number; close: () => void },
  pace: WarmPace | null,
): () => void {
  const { build, cache, log } = services
  const controller = new AbortController()
  const { signal } = controller
  const pages = warmPages(build)
  if (pace && cache.enabled && pages.length > 0)
    void warm(services, pages, port, pace, signal)
      .catch((error: unknown) => {
        if (!signal.aborted) log.warn({ err: error }, 'warming has stopped')
      })
      .finally(close)
  else close()
  return () => controller.abort()
}

async function warm(
  { hosts, cache, log }: Services,
  pages: ReturnType<typeof warmPages>,
  port: number,
  { delayMs = 1000, pauseMs = 100 }: WarmPace,
  signal: AbortSignal,
): Promise<void> {
  await wait(delayMs, signal)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (const { host, path } of pages) {
    if (signal.aborted) return
    const start = Date.now()
    await fetchPage(agent, port, new URL(hosts.origins[host]).host, path, signal)
    await wait(Math.max(pauseMs, pauseFactor * (Date.now() - start)), signal)
  }
  agent.destroy()
  // Rendering is compiled now. A process that is killed would not write its compile cache.
  flushCompileCache()
  if (!signal.aborted) log.info({ pages: pages.length, ...cache.stats() }, 'pages warmed')
}
