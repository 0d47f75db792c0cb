import type { z } from 'zod'
import type { readPageDetails } from '../../../shared/console/pages'
import { addressOfKey } from '../../cache/cache-keys'
import { sourcePath } from '../../content/source-path'
import { SiteError } from '../../errors'
import { canonicalize } from '../../url/canonicalize'
import { entryOf, hreflangLinks, pageAvailability } from '../../url/page-availability'
import type { OpsServices } from '../ops-call'

type Details = z.input<typeof readPageDetails.output>

/** Stored answers of a page and its payload. */
const cachedAnswers = (
  { cache }: Pick<OpsServices, 'cache'>,
  host: string,
  path: string,
): Details['cached'] =>
  cache.list().flatMap(({ key, entry }) => {
    const address = addressOfKey(key)
    if (address?.host !== host || address.path !== path) return []
    const { answer } = entry.prepared
    const { status, tags, storedAt } = answer
    return [
      { key, status, tags: [...tags], hits: entry.hits, storedAt, expiresAt: entry.expiresAt },
    ]
  })

/** What the site knows about the page at one of its URLs. */
export function pageDetails(services: OpsServices, url: string): Details {
  const { hosts, store, urlContext } = services
  const { origin, pathname, search } = new URL(url)
  if (!Object.values(hosts.origins).includes(origin))
    throw new SiteError('badRequest', 'url: not a URL of this site')
  const host = hosts.hostNameOf(new URL(url).host)
  const context = urlContext()
  const decision = canonicalize({ host, path: pathname, query: search }, context)
  const cached = cachedAnswers(services, host, pathname)
  const none = { rules: [], canonical: null, alternates: [], cached, problems: [] }
  if (decision.kind === 'bad') return { ...none, answer: String(decision.status) }
  if (decision.kind === 'redirect')
    return {
      ...none,
      rules: [...decision.appliedRules],
      answer: `${decision.status} ${decision.location}`,
    }
  if (!decision.match) return { ...none, answer: '404' }
  const page = { route: decision.match.route.id, params: decision.match.params }
  const availability = pageAvailability(page, store, context)
  const entry = entryOf(page, store)
  const isServed = availability.served.includes(decision.locale)
  const file = entry && sourcePath({ ...entry, locale: decision.locale })
  return {
    ...none,
    answer: isServed ? 'the page' : '404',
    canonical: availability.own.includes(decision.locale)
      ? hosts.origins[decision.host] + decision.pathOnHost
      : null,
    alternates: hreflangLinks(page, availability, hosts.origins),
    problems: store.problems().filter((problem) => file !== null && problem.file.endsWith(file)),
  }
}
