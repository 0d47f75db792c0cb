import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  exportTranslations,
  importTranslations,
  listTranslations,
  readTranslation,
  type OpenText,
} from '../../../shared/console/translations'
import { collections } from '../../../shared/front-matter'
import { locales, type LocaleCode } from '../../../shared/i18n/locales'
import { namespaces } from '../../../shared/i18n/namespaces'
import { glossaryOf } from '../../content/translations/glossary'
import { topKeys } from '../../db/overview-rows'
import { OperatorError, SiteError } from '../../errors'
import { entryHref } from '../../url/entry-href'
import { PlainAnswer, type OpsServices } from '../ops-call'
import { importXliff, type ImportResult } from '../xliff/import-xliff'
import { saveTranslations } from '../xliff/save-translations'
import { tarArchive } from '../xliff/tar-archive'
import { parsePath, pathOf, unitsOf } from '../xliff/translation-file'
import { writeXliff } from '../xliff/write-xliff'
import type { XliffFile, XliffUnit } from '../xliff/xliff-document'
import { implementCall, type ConsoleCallRow } from './define-console-call'

type Services = Pick<OpsServices, 'database' | 'store' | 'sources'>

/** Articles of one query; requests are answered between the queries. */
const batchSize = 2000
/** Files that are listed and exported at once; the rest follows when these are translated. */
const maxFiles = 300
const wordsPerMinute = 200
const maxViewedPages = 5000
const viewDays = 30
const dayMs = 24 * 60 * 60 * 1000

const isOpen = ({ target, isDone }: XliffUnit): boolean => target === null || !isDone
const countWords = (text: string): number => text.split(/\s+/).filter(Boolean).length

/** Namespaces with texts to do. */
function openNamespaces({ sources }: Services, locale: LocaleCode): OpenText[] {
  return namespaces.flatMap((namespace) => {
    const file = { kind: 'texts' as const, locale, namespace }
    const open = (unitsOf(sources, file) ?? []).filter(isOpen)
    const words = open.reduce((sum, { source }) => sum + countWords(source), 0)
    const isMissing = open.some(({ target }) => target === null)
    const state = isMissing ? ('missing' as const) : ('outdated' as const)
    return open.length === 0
      ? []
      : [{ path: pathOf(file), title: namespace, state, texts: open.length, words, views: null }]
  })
}

/** Views by path, of the most viewed pages. */
async function readViews({ database }: Services, locale: LocaleCode): Promise<Map<string, number>> {
  const until = Date.now()
  const filter = { since: until - viewDays * dayMs, until, locale, country: null }
  const rows = await topKeys(database, 'page', filter, maxViewedPages)
  return new Map(rows.map(({ key, count }) => [key, count]))
}

/** Articles that the language offers and does not have, or has in an older version. */
async function openArticles(
  services: Services,
  locale: LocaleCode,
): Promise<{ files: OpenText[]; done: number }> {
  const views = await readViews(services, locale)
  const files: Array<OpenText & { views: number }> = []
  let done = 0
  for (const collection of collections) {
    for (let after = ''; ;) {
      const rows = services.store.listOpenTranslations(collection, locale, after, batchSize)
      const last = rows.at(-1)
      if (!last) break
      after = last.id
      for (const { id, title, minutes, missing, isOpen: isDue } of rows) {
        const href = entryHref(collection, id, locale)
        if (isDue === 0) done += 1
        else if (href !== null)
          files.push({
            views: views.get(href) ?? 0,
            path: pathOf({ kind: 'article', locale, collection, id }),
            title,
            state: missing === 1 ? 'missing' : 'outdated',
            texts: 1,
            words: minutes * wordsPerMinute,
          })
      }
      await nextTurn()
    }
  }
  return { files: files.sort((one, two) => two.views - one.views), done }
}

function glossaryRows({ sources }: Services, locale: LocaleCode) {
  const { terms } = glossaryOf(sources)
  return terms.map(({ term, also }) => ({ term, also: (also[locale] ?? []).join(', ') }))
}

async function listOpen(services: Services, locale: LocaleCode) {
  const texts = openNamespaces(services, locale)
  const articles = await openArticles(services, locale)
  return {
    files: [...texts, ...articles.files].slice(0, maxFiles),
    done: namespaces.length - texts.length + articles.done,
  }
}

function unitsAt({ sources }: Services, path: string): XliffUnit[] {
  const file = parsePath(path)
  const units = file && unitsOf(sources, file)
  if (!units) throw new SiteError('badRequest', 'path: no such translation')
  return units
}

/** The XLIFF document of one file, or of all files with something to do. */
async function makeXliff(
  services: Services,
  { locale, path, scope }: { locale: LocaleCode; path?: string | undefined; scope: 'open' | 'all' },
): Promise<string> {
  const paths =
    path === undefined ? (await listOpen(services, locale)).files.map((file) => file.path) : [path]
  const files: XliffFile[] = []
  for (const original of paths) {
    const units = unitsAt(services, original)
    files.push({ original, units: scope === 'all' ? units : units.filter(isOpen) })
    await nextTurn()
  }
  const targetLanguage = locales[locale].language
  return writeXliff({ sourceLanguage: locales.en.language, targetLanguage, files })
}

function checkDocument({ sources }: Services, xliff: string): ImportResult {
  try {
    return importXliff(sources, xliff)
  } catch (error) {
    if (error instanceof OperatorError) throw new SiteError('badRequest', error.message)
    throw error
  }
}

/** What is to be translated; export and import as XLIFF. */
export const translationCalls: readonly ConsoleCallRow[] = [
  implementCall(listTranslations, {
    createHandler:
      (services) =>
      async ({ locale }) => ({
        ...(await listOpen(services, locale)),
        glossary: glossaryRows(services, locale),
      }),
  }),
  implementCall(readTranslation, {
    createHandler:
      (services) =>
      ({ path }) => ({
        units: unitsAt(services, path)
          .filter(isOpen)
          .map(({ name, source, target }) => ({ name, source, target })),
      }),
  }),
  implementCall(exportTranslations, {
    createHandler: (services) => async (input) =>
      new PlainAnswer('application/xliff+xml', await makeXliff(services, input), {
        'Content-Disposition': `attachment; filename="${input.locale}.xlf"`,
      }),
  }),
  implementCall(importTranslations, {
    logged: ({ write }) => ({ write }),
    createHandler:
      (services) =>
      ({ xliff, write }) => {
        const { locale, files, output } = checkDocument(services, xliff)
        const isSaved = write && saveTranslations(services.sources, output)
        return {
          locale,
          files,
          written: isSaved ? output.map(({ path }) => path) : [],
          archive: write && !isSaved && output.length > 0 ? tarArchive(output) : null,
        }
      },
  }),
]
