import { z } from 'zod'
import { collections } from '../front-matter'
import { localeCodes } from '../i18n/locales'
import { consoleCall, optionalField } from './console-call'

/** `routes`: pages that are no entry of a collection. */
export const pageCollections = ['routes', ...collections] as const
export const pageStates = [
  'there',
  'outdated',
  'converted',
  'fallback',
  'missing',
  'draft',
  'scheduled',
  'redirected',
] as const

export const pageFilter = z.object({
  collection: optionalField(z.enum(pageCollections)),
  locale: optionalField(z.enum(localeCodes)),
  state: optionalField(z.enum(pageStates)),
  /** Part of the id. */
  search: optionalField(z.string().max(100)),
})

/** The 75th percentile; null while nothing was measured. */
const vital = z.number().nullable()
const pageRow = z.object({
  /** `blog/proxy-types`, or `routes/pricing`. */
  page: z.string(),
  locale: z.enum(localeCodes),
  /** Null where the language does not offer the page. */
  url: z.string().nullable(),
  state: z.enum(pageStates),
  /** Why it is in that state, where that is not obvious. */
  why: z.string(),
  /** Why search engines do not list it; empty where they may. */
  whyNotIndexable: z.string(),
  /** Words; characters in languages without spaces. Null without a text. */
  words: z.number().nullable(),
  /** Last change, `YYYY-MM-DD`. */
  changed: z.string().nullable(),
  /** Views in the last 30 days. */
  views: z.number(),
  /** How often visitors opened it from the site's search in the last 30 days. */
  searchClicks: z.number(),
  /** Web vitals of its route and language, of which a single page has too few measurements. */
  vitals: z.object({ lcp: vital, inp: vital, cls: vital }),
})
export type PageRow = z.infer<typeof pageRow>

/** Rows in the order of collections and ids; `after` continues at `next` of the answer before. */
export const listPages = consoleCall({
  method: 'GET',
  path: '/pages',
  input: pageFilter.extend({ after: optionalField(z.string().max(200)) }),
  output: z.object({ rows: z.array(pageRow), next: z.string().nullable() }),
})

/** The rows as a CSV file, 50,000 at most. */
export const exportPages = consoleCall({
  method: 'GET',
  path: '/pages.csv',
  input: pageFilter,
  output: z.never(),
})

const cacheEntry = z.object({
  key: z.string(),
  status: z.number(),
  tags: z.array(z.string()),
  hits: z.number(),
  storedAt: z.number(),
  expiresAt: z.number(),
})
/** What the server knows about the page at a URL of the site. */
export const readPageDetails = consoleCall({
  method: 'GET',
  path: '/pages/details',
  input: z.object({ url: z.url().max(2048) }),
  output: z.object({
    /** URL rules that fire, and the answer: the page, or where it redirects. */
    rules: z.array(z.string()),
    answer: z.string(),
    canonical: z.string().nullable(),
    alternates: z.array(z.object({ hreflang: z.string(), href: z.string() })),
    cached: z.array(cacheEntry),
    problems: z.array(z.object({ file: z.string(), line: z.number(), reason: z.string() })),
  }),
})

export const purgePage = consoleCall({
  method: 'POST',
  path: '/pages/purge',
  input: z.object({ url: z.url().max(2048) }),
  output: z.object({ purged: z.number() }),
})
