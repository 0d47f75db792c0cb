import { z } from 'zod'
import { limits } from '../../../shared/constants'
import { locales } from '../../../shared/i18n/locales'
import { createView } from '../../pages/create-view'
import { renderIsland } from '../../pages/islands/render-island'
import { pagePayload } from '../../pages/serve-payload'
import { canonicalize } from '../../url/canonicalize'
import { splitTarget } from '../../url/decode-path'
import { defineCall } from '../define-call'
import { localeField } from '../input-fields'

/**
 * `GET /api/site/missing?lang=&path=`: the 404 page of a path in the form of a payload, so that a
 * click on a dead link shows it without a full page load. The 404 payload itself holds only the
 * message (spec 6.3).
 */
export const siteMissing = defineCall({
  method: 'GET',
  path: '/site/missing',
  rateLimit: 'other',
  inputFrom: 'query',
  input: z.object({ lang: localeField, path: z.string().max(limits.maxTargetBytes).default('') }),
  createHandler:
    (services) =>
    async ({ lang, path }) => {
      const host = locales[lang].domain
      const decision = canonicalize({ host, ...splitTarget(path) }, services.urlContext())
      const match = decision.kind === 'page' ? decision.match : null
      // Without a valid page number the view is that of the 404 page, even where the page exists.
      const { view, islands, tags } = createView(services, {
        locale: lang,
        match,
        page: null,
        path,
      })
      const rendered = islands.map(async ({ name, props, url }) => ({
        url,
        html: (await renderIsland(services, name, props, lang, tags)) ?? '',
      }))
      return pagePayload(view, await Promise.all(rendered), services.store.product())
    },
})
