import { z } from 'zod'
import { search as limits } from '../../../shared/constants'
import { collections } from '../../../shared/front-matter'
import { disabledRoutes } from '../../../shared/routes/nav'
import type { SearchResult } from '../../../shared/search-result'
import { addressGroup } from '../../request/client-address'
import { defineCall } from '../define-call'
import { lengthInCharacters, localeField } from '../input-fields'

const acceptedLength = `1 to ${limits.maxQueryLength} characters`
const acceptedLimit = `a whole number from 1 to ${limits.maxHits}`

const inputSchema = z.object({
  // Control characters are never part of a search term.
  q: z
    .string(acceptedLength)
    .max(limits.maxQueryLength * 2, acceptedLength)
    .transform((text) => text.replace(/\p{Cc}/gu, ' ').trim())
    .refine(
      (text) => text !== '' && lengthInCharacters(text) <= limits.maxQueryLength,
      acceptedLength,
    ),
  lang: localeField.default('en'),
  collection: z
    .union([z.literal(''), z.enum(collections)], `one of ${collections.join(', ')}`)
    .default(''),
  limit: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, acceptedLimit)
    .transform(Number)
    .refine((number) => number <= limits.maxHits, acceptedLimit)
    .default(limits.defaultHits),
})

/**
 * `GET /api/site/search?q=&lang=&collection=&limit=` (spec 9.6): data `{hits: [{url, title,
 * collection, excerpt, marks, foreign?, mark?}], total}`. `url` is a path on the language's host;
 * `foreign` names the language of a text that is not translated. `total` counts at most the pages
 * that were ranked.
 */
export const siteSearch = defineCall({
  method: 'GET',
  path: '/site/search',
  rateLimit: 'search',
  inputFrom: 'query',
  // Backspacing repeats a query, so responses are cached for 30 s. Edited pages are found after
  // that.
  cacheControl: 'private, max-age=30',
  input: inputSchema,
  createHandler:
    ({ search, store }) =>
    ({ q, lang, collection, limit }, { address, signal }): Promise<SearchResult> =>
      search.search(
        {
          query: q,
          locale: lang,
          collection: collection === '' ? null : collection,
          limit,
          disabledRoutes: disabledRoutes(store.siteConfig().pre_sales),
        },
        { group: addressGroup(address), signal },
      ),
})
