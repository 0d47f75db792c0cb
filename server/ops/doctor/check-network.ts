import { lookup } from 'node:dns/promises'
import { createServer } from 'node:net'
import { isContainer, SettingsError, type Settings } from '../../env'
import { errorCode } from '../../errors'
import { findIgnoredForwarding } from '../../request/ignored-forwarding'
import { findProxyBypass } from '../../request/client-address'
import { createHosts } from '../../url/hosts'
import { causeOf, note, ok, problem, type Finding } from './finding'

const isLocal = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || /^127\./.test(host)

/** Tries to listen on the port. Resolves to the error, or to null if it worked. */
function tryListening({ PORT, HOST }: Settings): Promise<Error | null> {
  return new Promise((resolve) => {
    const server = createServer()
      .once('error', resolve)
      .listen(PORT, HOST, () => server.close(() => resolve(null)))
  })
}

/** Whether this site answers on the port that is taken. */
async function isSiteReady({ PORT, HOST }: Settings): Promise<boolean> {
  const address =
    HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST.includes(':') ? `[${HOST}]` : HOST
  const answer = await fetch(`http://${address}:${PORT}/readyz`, {
    signal: AbortSignal.timeout(3000),
  }).catch(() => null)
  const body: unknown = await answer?.json().catch(() => null)
  return answer?.ok === true && body !== null && typeof body === 'object' && 'status' in body
}

/** Checks that the port is free, or that this site already listens on it. */
export async function checkPort(settings: Settings): Promise<Finding> {
  const { PORT, HOST } = settings
  if (PORT === 0) return note('port', 'PORT=0: each start uses another port')
  const error = await tryListening(settings)
  if (!error) return ok('port', `${HOST}:${PORT} is free`)
  const code = errorCode(error)
  if (code === 'EACCES')
    return problem(
      'port',
      `only root may listen on ${PORT}`,
      'set PORT above 1023, with a proxy (deploy/nginx.conf, deploy/Caddyfile) on 80 and 443',
    )
  if (code === 'EADDRNOTAVAIL')
    return problem(
      'port',
      `HOST=${HOST} is not an address of this machine`,
      'set HOST to 0.0.0.0, or to an address that "ip address" shows',
    )
  if (await isSiteReady(settings)) return ok('port', `the site is running on ${PORT} and ready`)
  return problem(
    'port',
    `${PORT} is taken by another program, or by a site that is not ready`,
    `find the program with ss -ltnp 'sport = :${PORT}', or change PORT`,
  )
}

async function checkNames(urls: readonly URL[]): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { hostname } of urls.filter((url) => !isLocal(url.hostname)))
    await lookup(hostname).catch((error: unknown) =>
      findings.push(
        problem(
          'hosts',
          `${hostname} is not found (${causeOf(error)})`,
          'add it to the DNS, or correct the SITE_URL_… that names it',
        ),
      ),
    )
  return findings
}

function checkOrigins(settings: Settings, urls: readonly URL[]): Finding[] {
  if (settings.SITE_URL_EN && settings.SITE_URL_ZH && settings.SITE_URL_RU) return []
  return [
    note(
      'hosts',
      `reachable from this machine only: ${urls.map(({ origin }) => origin).join(', ')}`,
      'set SITE_URL_EN, SITE_URL_ZH and SITE_URL_RU before the site goes public',
    ),
  ]
}

/** Checks https and, because it comes with a proxy, the trust in that proxy. */
function checkHttps(settings: Settings, urls: readonly URL[]): Finding[] {
  const secure = urls.filter(({ protocol }) => protocol === 'https:').length
  const findings: Finding[] = []
  if (secure > 0 && secure < urls.length)
    findings.push(
      note(
        'hosts',
        'some use https and some do not',
        'serve all three over https: cookies and sign-in need it',
      ),
    )
  const ignored = findIgnoredForwarding(settings)
  if (ignored) findings.push(note('proxy', ignored.message, ignored.fix))
  else if (secure > 0 && settings.TRUST_PROXY === 0)
    findings.push(
      note(
        'proxy',
        'a proxy terminates https, but TRUST_PROXY=0: rate limits count all visitors as one',
        'set TRUST_PROXY to the number of proxies in front of the site',
      ),
    )
  const bypass = findProxyBypass(settings, isContainer())
  if (bypass) findings.push(note('proxy', bypass.message, bypass.fix))
  return findings
}

function checkCookieDomain({ COOKIE_DOMAIN }: Settings, urls: readonly URL[]): Finding[] {
  const domain = COOKIE_DOMAIN.replace(/^\./, '')
  if (!domain) return []
  const outside = urls
    .map(({ hostname }) => hostname)
    .filter((hostname) => hostname !== domain && !hostname.endsWith(`.${domain}`))
  if (outside.length === 0) return []
  return [
    problem(
      'cookies',
      `COOKIE_DOMAIN=${COOKIE_DOMAIN} does not include ${outside.join(', ')}: browsers reject such cookies`,
      'set it to the domain that all three hosts share, or leave it empty',
    ),
  ]
}

/** Checks the three language hosts: distinct, in the DNS, and consistent with proxy and cookies. */
export async function checkHosts(settings: Settings): Promise<Finding[]> {
  let urls: readonly URL[]
  try {
    const { origins } = createHosts(settings, settings.PORT)
    urls = Object.values(origins).map((origin) => new URL(origin))
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    return [problem('hosts', error.message, 'correct it; the site does not start with it')]
  }
  const findings = [
    ...checkOrigins(settings, urls),
    ...(await checkNames(urls)),
    ...checkHttps(settings, urls),
    ...checkCookieDomain(settings, urls),
  ]
  return findings.some(({ topic }) => topic === 'hosts')
    ? findings
    : [ok('hosts', urls.map(({ origin }) => origin).join(', ')), ...findings]
}
