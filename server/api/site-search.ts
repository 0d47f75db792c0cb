import { z } from 'zod'
import { search as limits } from '../../shared/constants'
import { collections } from '../../shared/content'
import { switchedOff } from '../pages/loaders/switched-off'
import type { SearchResult } from '../../shared/search-result'
import { defineCall } from './api-call'
import { localeField } from './fields'

/** Length as people count it: an emoji is one character or a few, never two halves. */
const characters = (text: string): number => Array.from(text).length
const length = `1 to ${limits.queryLength} characters`
const hitsWanted = `a whole number from 1 to ${limits.mostHits}`

const inputSchema = z.object({
  // A control character is none that anybody looks for.
  q: z
    .string(length)
    .max(limits.queryLength * 2, length)
    .transform((text) => text.replace(/\p{Cc}/gu, ' ').trim())
    .refine((text) => text !== '' && characters(text) <= limits.queryLength, length),
  lang: localeField.default('en'),
  collection: z
    .union([z.literal(''), z.enum(collections)], `one of ${collections.join(', ')}`)
    .default(''),
  limit: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, hitsWanted)
    .transform(Number)
    .refine((number) => number <= limits.mostHits, hitsWanted)
    .default(limits.hits),
})

/**
 * `GET /api/site/search?q=&lang=&collection=&limit=` (decisions 9): data `{hits: [{url, title, collection, excerpt, marks, foreign?, mark?}], total}`. `url` is a path on the
 * language's host; `foreign` names the language of a text that is not translated. `total` counts at most the pages that were ranked.
 */
export const siteSearch = defineCall({
  // Who goes back a letter gets the same answer again; an edited page is found within half a minute.
  method: 'GET',
  path: '/site/search',
  limit: 'other',
  from: 'query',
  cacheControl: 'private, max-age=30',
  input: inputSchema,
  make:
    ({ search, store }) =>
    ({ q, lang, collection, limit }, { gone }): Promise<SearchResult> =>
      search.search(
        {
          query: q,
          locale: lang,
          collection: collection === '' ? null : collection,
          limit,
          off: switchedOff(store),
        },
        gone,
      ),
})
