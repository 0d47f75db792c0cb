import type { RequestHandler } from 'express'
import { z } from 'zod'
import { search as limits } from '../../shared/constants'
import { collections } from '../../shared/content'
import { SiteError, success } from '../errors'
import { switchedOff } from '../loaders/switched-off'
import type { SearchResult } from '../../shared/search-result'
import type { Site } from '../site'
import { splitTarget } from '../url/decode-path'
import { localeOfCall } from '../url/negotiate-locale'

/** Length as people count it: an emoji is one character or a few, never two halves. */
const characters = (text: string): number => Array.from(text).length
const length = `1 to ${limits.queryLength} characters`
const hitsWanted = `a whole number from 1 to ${limits.mostHits}`

const inputSchema = z.object({
  // A control character is none that anybody looks for.
  q: z.string().max(limits.queryLength * 2, length).transform((text) => text.replace(/\p{Cc}/gu, ' ').trim()).refine((text) => text !== '' && characters(text) <= limits.queryLength, length),
  lang: z.string().max(64).default('en'),
  collection: z.union([z.literal(''), z.enum(collections)], `one of ${collections.join(', ')}`).default(''),
  limit: z.string().regex(/^[1-9]\d{0,2}$/, hitsWanted).transform(Number).refine((number) => number <= limits.mostHits, hitsWanted).default(limits.hits),
})

/**
 * `GET /api/site/search?q=&lang=&collection=&limit=` (decisions 9): data `{hits: [{url, title, collection, excerpt, marks, foreign?, mark?}], total}`. `url` is a path on the
 * language's host; `foreign` names the language of a text that is not translated. `total` counts at most the pages that were ranked.
 */
export function siteSearch({ search, store }: Site): RequestHandler {
  return async function siteSearchCall(request, response) {
    const query = new URLSearchParams(splitTarget(request.originalUrl).query)
    const given = Object.fromEntries(['q', 'lang', 'collection', 'limit'].flatMap((name) => (query.has(name) ? [[name, query.get(name)]] : [])))
    const input = inputSchema.safeParse({ q: '', ...given })
    if (!input.success) throw new SiteError('badRequest', `${input.error.issues[0]?.path.join('.')}: ${input.error.issues[0]?.message}`)
    const { q, lang, collection, limit } = input.data
    const locale = localeOfCall(lang)
    if (!locale) throw new SiteError('badRequest', 'lang: no such language')
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    const result = await search.search({ query: q, locale, collection: collection === '' ? null : collection, limit, off: switchedOff(store) }, gone.signal)
    // Who goes back a letter gets the same answer again; an edited page is found within half a minute.
    response.setHeader('Cache-Control', 'private, max-age=30')
    response.json(success<SearchResult>(result))
  }
}
