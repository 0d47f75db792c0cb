import type { Client } from 'undici'
import { hostLanguages, type HostName } from '../shared/i18n/locales'
import type { OwnEntrance } from './own-entrance'
import type { Site } from './site'

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

/** Asks the site for a page as a visitor would; whatever comes of it, the next one is asked for. */
async function visit(site: Client, host: string, path: string, signal: AbortSignal): Promise<void> {
  try {
    const { body } = await site.request({ method: 'GET', path, signal, headers: { host, 'user-agent': 'warming' } })
    await body.dump({ limit: Number.POSITIVE_INFINITY, signal })
  } catch {
    // A page that cannot be made says so in the log by itself.
  }
}

/**
 * Renders what the build names (home, lists, landing pages of all languages) before anybody asks, through the real
 * pipeline: one at a time and mostly idle, so that visitors and start-up don't notice. Stops with the shutdown. Closes the entrance when it needs it
 * no more; a `pace` of null warms nothing. Not by Node's own HTTP client: it shares code with the server, which V8 then compiles for both, and cached
 * pages were served a seventh slower ever after.
 */
export function startWarming(site: Pick<Site, 'build' | 'cache' | 'hosts' | 'log'>, { port, close }: OwnEntrance, pace: WarmPace | null): () => void {
  const { delay = 1000, pause = 100 } = pace ?? {}
  const controller = new AbortController()
  const { signal } = controller
  const { warm } = site.build
  // All hosts in turn, so that no language waits for all of another's pages.
  const hosts = Object.keys(hostLanguages) as HostName[]
  const jobs = hosts.flatMap((host) => warm[host].map((path, rank) => ({ host, path, rank }))).sort((a, b) => a.rank - b.rank)

  async function run(): Promise<void> {
    await wait(delay, signal)
    const undici = await import('undici')
    const client = new undici.Client(`http://127.0.0.1:${port}`)
    signal.addEventListener('abort', () => void client.destroy(), { once: true })
    for (const { host, path } of jobs) {
      if (signal.aborted) return
      const started = Date.now()
      await visit(client, new URL(site.hosts.origins[host]).host, path, signal)
      await wait(Math.max(pause, 4 * (Date.now() - started)), signal)
    }
    await client.close()
    if (!signal.aborted) site.log.info({ pages: jobs.length, ...site.cache.stats() }, 'pages warmed')
  }
  if (pace && site.cache.enabled && jobs.length > 0) void run().catch((error: unknown) => signal.aborted || site.log.warn({ err: error }, 'warming has stopped')).finally(close)
  else close()
  return () => controller.abort()
}
