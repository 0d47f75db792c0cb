import { z } from 'zod'
import { localeCodes } from '../i18n/locales'
import { consoleCall, optionalField } from './console-call'

const day = z.iso.date('a date as YYYY-MM-DD')
const optionalLocale = optionalField(z.enum(localeCodes))

const search = z.object({
  locale: z.string(),
  query: z.string(),
  count: z.number(),
  /** The most that one of these searches found. */
  results: z.number(),
})
export type SearchRow = z.infer<typeof search>
const click = z.object({ locale: z.string(), path: z.string(), count: z.number() })
export type SearchClickRow = z.infer<typeof click>
const miss = search.omit({ results: true })
export type SearchMissRow = z.infer<typeof miss>

/** What visitors search for, which results they open, and what they find nothing for. */
export const listSearches = consoleCall({
  method: 'GET',
  path: '/search',
  input: z.object({ from: day, to: day, locale: optionalLocale }),
  output: z.object({
    searches: z.array(search),
    clicks: z.array(click),
    misses: z.array(miss),
  }),
})
