import { z } from 'zod'
import { errorView } from '../pages/create-view'
import { pageCarrying } from '../pages/page-carrying'
import { defineCall } from './api-call'
import { localeField } from './fields'

/**
 * `GET /api/site/missing?lang=`: the 404 page as payloads carry pages, so that a click on a dead link shows it without a
 * full load. A 404 payload names only the message (decisions 6); message and path are empty here, the browser has them.
 */
export const siteMissing = defineCall({
  method: 'GET',
  path: '/site/missing',
  limit: 'other',
  from: 'query',
  input: z.object({ lang: localeField }),
  make:
    (site) =>
    ({ lang }) =>
      pageCarrying(errorView(site, lang, 404, '', '').view, []),
})
