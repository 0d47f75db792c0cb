import type { Build } from '../build-info'
import type { Settings } from '../env'
import type { UrlContext } from '../url/canonicalize'
import type { Hosts } from '../url/hosts'
import type { ContentStore } from '../content/store/store'
import { createHash } from 'node:crypto'
import type { Request, RequestHandler, Response } from 'express'
import { LRUCache } from 'lru-cache'
import { hostLanguages, locales } from '../../shared/i18n/locales'
import { SiteError } from '../errors'
import { atomFeed } from '../feeds/atom-feed'
import { feedOf, feedPath, feedsIn } from '../url/feed-paths'
import { llmsText } from '../feeds/llms-text'
import { markdownAlternate } from '../feeds/markdown-alternate'
import { robotsText } from '../feeds/robots-text'
import { entryOf } from '../url/page-availability'
import { canonicalize } from '../url/canonicalize'
import { redirect } from '../url/redirect'

type Services = {
  store: ContentStore
  hosts: Hosts
  urlContext: () => UrlContext
  settings: Settings
  build: Build
}

/** Texts that are kept made; the generation in their keys lets go of old ones. */
const keptTexts = 100

/** `robots.txt`, `llms.txt`, Atom feeds and the Markdown twins of pages (decisions 9): fixed paths, made from content, kept until it changes. */
export function feeds(site: Services): RequestHandler {
  const { store, hosts, urlContext, settings } = site
  const kept = new LRUCache<string, { text: string; etag: string }>({ max: keptTexts })

  function send(
    request: Request,
    response: Response,
    type: string,
    key: string,
    make: () => string,
  ): void {
    const id = `${store.generation()} ${key}`
    const fresh =
      kept.get(id) ??
      ((text) => ({
        text,
        etag: `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`,
      }))(make())
    kept.set(id, fresh)
    response.setHeader('Content-Type', `${type}; charset=utf-8`)
    response.setHeader('Cache-Control', 'public, max-age=0, must-revalidate')
    response.setHeader('ETag', fresh.etag)
    if (request.fresh) return void response.status(304).end()
    response.send(fresh.text)
  }

  /** An article's page with `.md` behind its canonical path; null when the rest is no such page. */
  function twin(host: keyof typeof hostLanguages, path: string) {
    if (!path.endsWith('.md')) return null
    const page = canonicalize({ host, path: path.slice(0, -'.md'.length), query: '' }, urlContext())
    const entry =
      page.kind === 'page' && page.match
        ? entryOf({ route: page.match.route.id, params: page.match.params }, store)
        : null
    const found =
      entry && page.kind === 'page' ? store.entry(entry.collection, entry.id, page.locale) : null
    return found && page.kind === 'page' ? { entry: found, page } : null
  }

  return function machineTextsRow(request, response, next) {
    const { path } = request
    const host = hosts.nameOf(request.headers.host ?? '')
    if (path === '/robots.txt')
      return send(request, response, 'text/plain', `robots ${host}`, () =>
        robotsText(hosts.origins[host], settings.INDEXING),
      )
    if (path === '/llms.txt')
      return send(request, response, 'text/plain', `llms ${host}`, () => llmsText(site, host))
    const feed = feedOf(path)
    if (feed) {
      const locale = feed.locale ?? hostLanguages[host]
      const { domain } = locales[locale]
      if (!feedsIn(locale).includes(feed.collection)) throw new SiteError('notFound')
      if (domain !== host)
        return redirect(
          response,
          {
            location: hosts.origins[domain] + feedPath(feed.collection, locale),
            status: 301,
            external: false,
          },
          hosts.origins,
        )
      return send(request, response, 'application/atom+xml', `feed ${host} ${path}`, () =>
        atomFeed(site, feed.collection, locale),
      )
    }
    const found = twin(host, path)
    if (!found) return next()
    const { entry, page } = found
    // The page itself is what search engines shall show.
    response.setHeader('Link', `<${hosts.origins[page.host]}${page.pathOnHost}>; rel="canonical"`)
    response.setHeader('Content-Language', locales[entry.locale].language)
    send(request, response, 'text/markdown', `twin ${host} ${path}`, () =>
      markdownAlternate(entry, { store, locale: page.locale, origins: hosts.origins }),
    )
  }
}
