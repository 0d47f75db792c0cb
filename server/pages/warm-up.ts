import type { PageServices } from './page-services'
import { Agent, request } from 'node:http'
import { flushCompileCache } from 'node:module'
import { hostLanguages, type HostName } from '../../shared/i18n/locales'

/** ms after readiness, since the first visitors come first; ms between two pages at least, after a slow page four times as long as it took. */
export type WarmPace = { delay?: number; pause?: number }

const wait = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    signal.addEventListener('abort', done, { once: true })
  })

/** Requests a page as a visitor would. Resolves when the answer is complete or has failed: a page that cannot be rendered is logged by itself. */
const visit = (
  agent: Agent,
  port: number,
  host: string,
  path: string,
  signal: AbortSignal,
): Promise<void> =>
  new Promise((resolve) => {
    const over = (): void => resolve()
    const options = {
      agent,
      host: '127.0.0.1',
      port,
      path,
      signal,
      headers: { host, 'user-agent': 'warming' },
    }
    request(options, (response) => void response.resume().once('error', over).once('close', over))
      .once('error', over)
      .end()
  })

/**
 * Renders what the build names (home, lists, landing pages of all languages) before anybody asks, through the real
 * pipeline: one at a time and mostly idle, so that visitors and start-up don't notice. Stops with the shutdown. Closes the entrance when it needs it
 * no more; a `pace` of null warms nothing.
 */
export function startWarming(
  site: Pick<PageServices, 'build' | 'cache' | 'hosts' | 'log'>,
  { port, close }: { port: number; close: () => void },
  pace: WarmPace | null,
): () => void {
  const { delay = 1000, pause = 100 } = pace ?? {}
  const controller = new AbortController()
  const { signal } = controller
  const { warm } = site.build
  // All hosts in turn, so that no language waits for all of another's pages.
  const hosts = Object.keys(hostLanguages) as HostName[]
  const jobs = hosts
    .flatMap((host) => warm[host].map((path, rank) => ({ host, path, rank })))
    .sort((a, b) => a.rank - b.rank)

  async function run(): Promise<void> {
    await wait(delay, signal)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (const { host, path } of jobs) {
      if (signal.aborted) return
      const started = Date.now()
      await visit(agent, port, new URL(site.hosts.origins[host]).host, path, signal)
      await wait(Math.max(pause, 4 * (Date.now() - started)), signal)
    }
    agent.destroy()
    // What rendering needs is compiled now. Written at this point too, because a process that is killed writes nothing at its end.
    flushCompileCache()
    if (!signal.aborted)
      site.log.info({ pages: jobs.length, ...site.cache.stats() }, 'pages warmed')
  }
  if (pace && site.cache.enabled && jobs.length > 0)
    void run()
      .catch(
        (error: unknown) => signal.aborted || site.log.warn({ err: error }, 'warming has stopped'),
      )
      .finally(close)
  else close()
  return () => controller.abort()
}
