import { lookup } from 'node:dns/promises'
import { createServer } from 'node:net'
import type { Settings } from '../../env'
import { createHosts } from '../../url/hosts'
import { causeOf, noted, ok, wrong, type Finding } from './finding'

const isLocal = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || /^127\./.test(host)

function listens({ PORT, HOST }: Settings): Promise<NodeJS.ErrnoException | null> {
  return new Promise((resolve) => {
    const server = createServer()
      .once('error', resolve)
      .listen(PORT, HOST, () => server.close(() => resolve(null)))
  })
}

/** Whether the port can be listened on, or is listened on by this very site. */
export async function checkPort(settings: Settings): Promise<Finding> {
  const { PORT, HOST } = settings
  if (PORT === 0) return noted('port', 'PORT=0: another one at each start')
  const error = await listens(settings)
  if (!error) return ok('port', `${HOST}:${PORT} is free`)
  if (error.code === 'EACCES')
    return wrong(
      'port',
      `${PORT} is only for the superuser`,
      'set PORT to one above 1023 and let a proxy (deploy/nginx.conf, deploy/Caddyfile) listen on 80 and 443',
    )
  if (error.code === 'EADDRNOTAVAIL')
    return wrong(
      'port',
      `HOST=${HOST} is no address of this machine`,
      'set HOST to 0.0.0.0, or to an address that "ip address" shows',
    )
  const address =
    HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST.includes(':') ? `[${HOST}]` : HOST
  const answer = await fetch(`http://${address}:${PORT}/readyz`, {
    signal: AbortSignal.timeout(3000),
  }).catch(() => null)
  const body: unknown = await answer?.json().catch(() => null)
  if (answer?.ok && body !== null && typeof body === 'object' && 'status' in body)
    return ok('port', `the site is running on ${PORT} and ready`)
  return wrong(
    'port',
    `${PORT} is taken by another program, or by a site that is not ready`,
    `look who it is (ss -ltnp 'sport = :${PORT}'), or set PORT`,
  )
}

/** The three language hosts: distinct, to be found, and fit for what stands in front of them. */
export async function checkHosts(settings: Settings): Promise<Finding[]> {
  const { origins } = createHosts(settings, settings.PORT)
  const urls = Object.values(origins).map((origin) => new URL(origin))
  const findings: Finding[] = []
  if (new Set(urls.map(({ host }) => host)).size < urls.length)
    findings.push(
      wrong(
        'hosts',
        `two languages share a host: ${urls.map(({ host }) => host).join(', ')}`,
        'give SITE_URL_EN, SITE_URL_ZH and SITE_URL_RU three different hosts',
      ),
    )
  if (!settings.SITE_URL_EN || !settings.SITE_URL_ZH || !settings.SITE_URL_RU)
    findings.push(
      noted(
        'hosts',
        `of this machine alone: ${urls.map(({ origin }) => origin).join(', ')}`,
        'set SITE_URL_EN, SITE_URL_ZH and SITE_URL_RU before others shall visit',
      ),
    )
  for (const { hostname } of urls.filter((url) => !isLocal(url.hostname))) {
    await lookup(hostname).catch((error: unknown) =>
      findings.push(
        wrong(
          'hosts',
          `${hostname} is not found (${causeOf(error)})`,
          'add it to the DNS, or mend the SITE_URL_… that names it',
        ),
      ),
    )
  }
  const secure = urls.filter(({ protocol }) => protocol === 'https:').length
  if (secure > 0 && secure < urls.length)
    findings.push(
      noted(
        'hosts',
        'some are https and some are not',
        'serve all three by https: cookies and sign-in need it',
      ),
    )
  if (secure > 0 && settings.TRUST_PROXY === 0)
    findings.push(
      noted(
        'proxy',
        'https ends at a proxy, but TRUST_PROXY=0: all visitors count as one for rate limits',
        'set TRUST_PROXY to the number of proxies in front',
      ),
    )
  const domain = settings.COOKIE_DOMAIN.replace(/^\./, '')
  const outside = domain
    ? urls.filter(({ hostname }) => hostname !== domain && !hostname.endsWith(`.${domain}`))
    : []
  if (outside.length > 0)
    findings.push(
      wrong(
        'cookies',
        `COOKIE_DOMAIN=${settings.COOKIE_DOMAIN} does not hold ${outside.map(({ hostname }) => hostname).join(', ')}: browsers refuse such cookies`,
        'set it to the part that all three hosts share, or leave it empty',
      ),
    )
  return findings.some(({ about, level }) => about === 'hosts' && level !== 'ok')
    ? findings
    : [ok('hosts', urls.map(({ origin }) => origin).join(', ')), ...findings]
}
