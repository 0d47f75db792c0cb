import type { ServerResponse } from 'node:http'
import { pages } from '../../../shared/constants'
import { locales, type LocaleCode } from '../../../shared/i18n/locales'
import type { IslandHtml } from '../../../shared/view'
import { commonHeaders } from '../../cache/security-headers'
import { requestIdField } from '../../telemetry/logger'
import type { ViewResult } from '../create-view'
import { renderIsland } from '../islands/render-island'
import type { PageServices } from '../page-services'
import { renderHead } from '../seo/head'
import { statisticsOf, type Statistics } from '../site-info/statistics'
import { pageOrigins } from '../site-info/visitor-settings'
import { contentSecurityPolicy } from './content-security-policy'
import { documentParts } from './document'
import { createPageAssets } from './page-assets'
import { typesetView } from '../typeset-view'
import { renderPage, type Rendering } from './render-page'

export type RendererServices = Pick<
  PageServices,
  'baseInfo' | 'build' | 'hosts' | 'loadIsland' | 'log' | 'settings' | 'store' | 'view'
>

export type PageRenderer = {
  /** `signal` aborts the rendering. */
  render: (result: ViewResult, signal: AbortSignal, response: ServerResponse) => Promise<Rendering>
  /**
   * Headers of the document, without those of caches. `nonce`: of the inline scripts of a page that
   * streams.
   */
  headers: (result: ViewResult, nonce?: string) => Record<string, string>
}

/** Renders the documents of pages, error pages and previews. */
export function createPageRenderer(services: RendererServices): PageRenderer {
  const { build, hosts, log, settings, view } = services
  const statisticsIn = createStatisticsReader(services)
  const assetsOf = createPageAssets(build)
  const asset = (name: string): string => build.assets.files[name] ?? ''

  return {
    async render(result, signal, response) {
      const { css, js } = assetsOf(result.view.route)
      const statistics = statisticsIn(result.view.locale)
      const head = renderHead(result.view, services.store.product(), css, statistics.head)
      const shownView = typesetView(result.view)
      const parts = documentParts(shownView, head, js, build.assets.files, statistics.noscript)
      const onError = (error: unknown): void =>
        log.error(
          { ...requestIdField(response), err: error, route: result.view.route },
          'a part of a page failed to render',
        )
      // A 404 page has its message in the shell; its suggestions are an extra.
      const islandWaitMs = result.status === 404 ? 0 : pages.islandWaitMs
      const islands = renderIslands(services, result)
      const dependencies = { view, asset, onError, islandWaitMs }
      return renderPage(shownView, parts, islands, signal, dependencies)
    },
    headers({ view: { locale, route } }, nonce) {
      const { language, domain } = locales[locale]
      const isSecure = hosts.isSecure(domain)
      return {
        ...commonHeaders(isSecure, settings),
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Language': language,
        'Content-Security-Policy': contentSecurityPolicy(pageOrigins(services), nonce, isSecure),
        Link: assetsOf(route).linkHeader,
      }
    },
  }
}

/** Reads the statistics snippets of a language; names in the log, once, what is left out. */
function createStatisticsReader(
  services: Pick<RendererServices, 'baseInfo' | 'log' | 'settings' | 'store'>,
): (locale: LocaleCode) => Statistics {
  const logged = new Set<string>()
  return (locale) => {
    const statistics = statisticsOf(services.baseInfo.of(locale), pageOrigins(services))
    for (const part of statistics.leftOut) {
      if (logged.has(part)) continue
      logged.add(part)
      services.log.warn({ part }, 'a part of the statistics snippets is left out')
    }
    return statistics
  }
}

/** Renders the islands of a page, by URL; adds their surrogate tags to those of the page. */
const renderIslands = (
  services: RendererServices,
  { view, tags, islands }: ViewResult,
): ReadonlyMap<string, IslandHtml> =>
  new Map(
    islands.map(({ name, props, url }) => {
      const html = renderIsland(services, name, props, view.locale, tags)
      return [url, html instanceof Promise ? html.then((late) => late ?? '') : (html ?? '')]
    }),
  )
