import type { Collection } from '../../shared/content'
import { locales, type LocaleCode } from '../../shared/i18n/locales'
import { industryOf } from '../../shared/routes/availability'
import type { Params } from '../../shared/routes/match'
import type { GuardName } from '../../shared/routes/table'
import type { ContentStore } from '../content/store/store'

export type GuardInput = {
  params: Params
  locale: LocaleCode
  collection: Collection | null
  store: ContentStore
}

/**
 * The named guards of spec 2.5: what each checks, in words and as a function. A page whose guard says no answers 404
 * "Page Not Found". What a language does not offer at all has been redirected before (rule 9, availability).
 */
export const guards: Readonly<
  Record<GuardName, { checks: string; passes: (input: GuardInput) => boolean }>
> = {
  alternative: {
    checks: 'the comparison is written in the language or one of its fallbacks',
    passes: (input) => exists(input, 'alternatives'),
  },
  blog: {
    checks:
      'of blog or news: the article exists; a category is borne by an article, and the tags together by one of its articles',
    passes: listOrArticle,
  },
  case: {
    checks:
      'never: a case that names a solution has been redirected to it, any other names nothing',
    passes: () => false,
  },
  guide: {
    checks: 'the guide article exists; the index needs at least one',
    passes: (input) => indexOrArticle(input, 'guide'),
  },
  help: {
    checks: 'the help article exists; the index needs at least one',
    passes: (input) => indexOrArticle(input, 'helps'),
  },
  html: {
    checks: "the segment names a feature, an industry, or a page of the authors' own",
    passes: singlePage,
  },
  'pre-sales': {
    checks: 'the page is switched on in site.yaml (off: redirected to the home page before)',
    passes: ({ store }) => store.site().pre_sales,
  },
  solution: {
    checks: 'the solution is written in the language or one of its fallbacks',
    passes: (input) => exists(input, 'solutions'),
  },
  solutions: {
    checks: 'at least one solution exists',
    passes: ({ store, locale }) => store.count('solutions', locale, {}) > 0,
  },
}

const written = ({ store, locale }: GuardInput, collection: Collection, id: string): boolean =>
  store.localesOf(collection, id).some((code) => locales[locale].fallback.includes(code))
const exists = (input: GuardInput, collection: Collection): boolean =>
  written(input, collection, input.params['id'] ?? '')
const indexOrArticle = (input: GuardInput, collection: Collection): boolean =>
  input.params['id'] === undefined
    ? input.store.count(collection, input.locale, {}) > 0
    : exists(input, collection)

function listOrArticle(input: GuardInput): boolean {
  const { collection, params, store, locale } = input
  if (!collection) return false
  if (params['id'] !== undefined) return exists(input, collection)
  const { category, tags } = params
  return (
    category === undefined ||
    store.count(collection, locale, { category, tags: tags?.split('+') ?? [] }) > 0
  )
}

function singlePage(input: GuardInput): boolean {
  const slug = input.params['html'] ?? ''
  const industry = industryOf(slug)
  return (
    written(input, 'features', slug) ||
    (industry !== null && written(input, 'industries', industry)) ||
    written(input, 'pages', slug)
  )
}
