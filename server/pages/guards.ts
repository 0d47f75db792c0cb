import type { Collection } from '../../shared/front-matter'
import { locales, type LocaleCode } from '../../shared/i18n/locales'
import { industryOf } from '../../shared/routes/availability'
import type { Params } from '../../shared/routes/path-of'
import type { GuardName } from '../../shared/routes/route-row'
import type { ContentStore } from '../content/store/store'

type GuardInput = {
  params: Params
  locale: LocaleCode
  collection: Collection | null
  store: ContentStore
}

/**
 * The guards of the route table (spec 5.5): what each checks, in words and as a function. A page
 * that its guard refuses is not found. URL rules have already redirected pages that the language
 * does not offer.
 */
export const guards: Readonly<
  Record<GuardName, { checks: string; passes: (input: GuardInput) => boolean }>
> = {
  alternative: {
    checks: 'the comparison is written in the language or one of its fallbacks',
    passes: (input) => entryExists(input, 'alternatives'),
  },
  blog: {
    checks: 'the article exists; a category has an article, and one of its articles has all tags',
    passes: listOrArticleExists,
  },
  case: {
    checks: 'never passes: cases of a solution are redirected to it, and others do not exist',
    passes: () => false,
  },
  guide: {
    checks: 'the guide article exists; the index needs at least one',
    passes: (input) => indexOrArticleExists(input, 'guide'),
  },
  help: {
    checks: 'the help article exists; the index needs at least one',
    passes: (input) => indexOrArticleExists(input, 'helps'),
  },
  html: {
    checks: 'the segment is a feature, an industry or a text page',
    passes: singlePageExists,
  },
  'pre-sales': {
    checks: 'site.yaml enables the page (otherwise it is redirected to the home page)',
    passes: ({ store }) => store.siteConfig().pre_sales,
  },
  solution: {
    checks: 'the solution is written in the language or one of its fallbacks',
    passes: (input) => entryExists(input, 'solutions'),
  },
  solutions: {
    checks: 'at least one solution exists',
    passes: ({ store, locale }) => store.countEntries('solutions', locale, {}) > 0,
  },
}

const isWritten = ({ store, locale }: GuardInput, collection: Collection, id: string): boolean =>
  store.localesOf(collection, id).some((code) => locales[locale].fallback.includes(code))
const entryExists = (input: GuardInput, collection: Collection): boolean =>
  isWritten(input, collection, input.params['id'] ?? '')
const indexOrArticleExists = (input: GuardInput, collection: Collection): boolean =>
  input.params['id'] === undefined
    ? input.store.countEntries(collection, input.locale, {}) > 0
    : entryExists(input, collection)

function listOrArticleExists(input: GuardInput): boolean {
  const { collection, params, store, locale } = input
  if (!collection) return false
  if (params['id'] !== undefined) return entryExists(input, collection)
  const { category, tags } = params
  return (
    category === undefined ||
    store.countEntries(collection, locale, { category, tags: tags?.split('+') ?? [] }) > 0
  )
}

function singlePageExists(input: GuardInput): boolean {
  const slug = input.params['html'] ?? ''
  const industry = industryOf(slug)
  return (
    isWritten(input, 'features', slug) ||
    (industry !== null && isWritten(input, 'industries', industry)) ||
    isWritten(input, 'pages', slug)
  )
}
