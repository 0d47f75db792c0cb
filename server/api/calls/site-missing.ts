import { z } from 'zod'
import { createErrorView } from '../../pages/create-view'
import { pagePayload } from '../../pages/serve-payload'
import { defineCall } from '../define-call'
import { localeField } from '../input-fields'

/**
 * `GET /api/site/missing?lang=`: the 404 page in the form of a payload, so that a click on a dead
 * link shows it without a full page load. Message and path are empty: the browser has them from the
 * 404 payload (spec 6.3), which holds nothing else.
 */
export const siteMissing = defineCall({
  method: 'GET',
  path: '/site/missing',
  rateLimit: 'other',
  inputFrom: 'query',
  input: z.object({ lang: localeField }),
  createHandler:
    (services) =>
    ({ lang }) =>
      pagePayload(
        createErrorView(services, { locale: lang, status: 404, message: '', path: '' }).view,
        [],
        services.store.product(),
      ),
})
