import { z } from 'zod'
import { defineCall } from '../define-call'
import { localeField } from '../input-fields'

/** `GET /api/site/offer?lang=`: the texts of the line that offers the page in that language. */
export const siteOffer = defineCall({
  method: 'GET',
  path: '/site/offer',
  rateLimit: 'other',
  inputFrom: 'query',
  cacheControl: 'public, max-age=3600',
  input: z.object({ lang: localeField }),
  createHandler:
    ({ store }) =>
    ({ lang }) => ({ locale: lang, texts: store.texts(lang, 'offer') }),
})
