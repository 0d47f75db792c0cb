import type { ServerResponse } from 'node:http'
import { locales } from '../../../shared/i18n/locales'
import type { RenderOptions } from '../../../shared/view'
import { securityHeaders } from '../../cache/security-headers'
import { requestIdField } from '../../telemetry/logger'
import type { ViewResult } from '../create-view'
import { renderIsland } from '../islands/render-island'
import type { PageServices } from '../page-services'
import { renderHead } from '../seo/head'
import { pageOrigins } from '../site-info/visitor-settings'
import { contentSecurityPolicy } from './content-security-policy'
import { documentParts } from './document'
import { createPageAssets } from './page-assets'
import { renderPage, type Rendering } from './render-page'

export type RendererServices = Pick<
  PageServices,
  'build' | 'hosts' | 'loadIsland' | 'log' | 'settings' | 'store' | 'view'
>

export type PageRenderer = {
  /** `signal` aborts the rendering. */
  render: (result: ViewResult, signal: AbortSignal, response: ServerResponse) => Promise<Rendering>
  /**
   * Headers of the document, without those of caches. `scripts`: further sources of scripts, which
   * are a nonce, or hashes of React's inline scripts.
   */
  headers: (result: ViewResult, scripts?: readonly string[]) => Record<string, string>
}

/** Renders the documents of pages, error pages and previews. */
export function createPageRenderer(services: RendererServices): PageRenderer {
  const { build, hosts, log, settings, view } = services
  const assetsOf = createPageAssets(build)
  const asset = (name: string): string => build.assets.files[name] ?? ''

  return {
    render(result, signal, response) {
      const { css, js } = assetsOf(result.view.route)
      const head = renderHead(result.view, css)
      const parts = documentParts(result.view, head, js, build.assets.files)
      const onError = (error: unknown): void =>
        log.error(
          { ...requestIdField(response), err: error, route: result.view.route },
          'a part of a page failed to render',
        )
      const island = islandRenderer(services, result)
      return renderPage(result.view, parts, island, signal, { view, asset, onError })
    },
    headers({ view: { locale, route } }, scripts = []) {
      const { language, domain } = locales[locale]
      const isSecure = hosts.isSecure(domain)
      return {
        ...securityHeaders(isSecure),
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Language': language,
        'Content-Security-Policy': contentSecurityPolicy(pageOrigins(services), scripts, isSecure),
        ...(settings.INDEXING ? {} : { 'X-Robots-Tag': 'noindex' }),
        Link: assetsOf(route).linkHeader,
      }
    },
  }
}

/** Renders the islands of a page; adds their surrogate tags to those of the page. */
const islandRenderer =
  (services: RendererServices, { view, tags }: ViewResult): RenderOptions['island'] =>
  ({ name, props }) => {
    const html = renderIsland(services, name, props, view.locale, tags)
    return html instanceof Promise ? html.then((late) => late ?? '') : (html ?? '')
  }
