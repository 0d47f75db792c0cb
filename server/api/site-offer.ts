import { z } from 'zod'
import { defineCall } from './api-call'
import { localeField } from './fields'

/** `GET /api/site/offer?lang=`: the few words that offer a page in another language, in that language. */
export const siteOffer = defineCall({
  method: 'GET',
  path: '/site/offer',
  limit: 'other',
  from: 'query',
  cacheControl: 'public, max-age=3600',
  input: z.object({ lang: localeField }),
  make:
    ({ store }) =>
    ({ lang }) => ({ locale: lang, texts: store.texts(lang, 'offer') }),
})
