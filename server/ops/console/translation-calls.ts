import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { dayMs } from '../../../shared/constants'
import {
  exportTranslations,
  importTranslations,
  listTranslations,
  readTranslation,
  type OpenText,
  type TranslationList,
} from '../../../shared/console/translations'
import { collections } from '../../../shared/front-matter'
import type { LocaleCode } from '../../../shared/i18n/locales'
import { namespaces } from '../../../shared/i18n/namespaces'
import { isApiPage } from '../../content/source-path'
import { topKeys } from '../../db/overview-rows'
import { storeTranslationSources } from '../../db/translation-sources'
import { SiteError } from '../../errors'
import { entryHref } from '../../url/entry-href'
import { PlainAnswer, type OpsServices } from '../ops-call'
import { parsePath, pathOf } from '../xliff/translation-file'
import { changedUnitsOf } from '../xliff/translation-sources'
import { isOpen } from '../xliff/xliff-document'
import type { XliffJob, XliffJobKind, XliffResult } from '../xliff/xliff-jobs'
import { startXliffJob } from '../xliff/xliff-thread'
import { implementCall, type ConsoleCallRow } from './define-console-call'

type Services = Pick<OpsServices, 'build' | 'database' | 'store' | 'sources'>

/** Articles of one query; requests are answered between the queries. */
const batchSize = 2000
/** Files that are listed and exported at once; the rest follows when these are translated. */
const maxFiles = 300
const wordsPerMinute = 200
const maxViewedPages = 5000
const viewDays = 30

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
        // Pages of the API reference are made from `api/openapi.yaml`, which XLIFF does not carry.
        if (isApiPage({ collection, id, locale: 'en' })) continue
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

/** Starts a job with the translations of the site. */
const startJob = <Kind extends XliffJobKind>(
  { build }: Services,
  job: XliffJob<Kind>,
): Promise<XliffResult<Kind>> => startXliffJob(join(build.folder, 'server', 'xliff-worker.js'), job)

async function listOpen(services: Services, locale: LocaleCode): Promise<TranslationList> {
  const [{ texts, glossary }, articles] = await Promise.all([
    startJob(services, { kind: 'list', folders: services.sources, locale }),
    openArticles(services, locale),
  ])
  return {
    files: [...texts, ...articles.files].slice(0, maxFiles),
    done: namespaces.length - texts.length + articles.done,
    glossary,
  }
}

/** What is to be translated; export and import as XLIFF. */
export const translationCalls: readonly ConsoleCallRow[] = [
  implementCall(listTranslations, {
    createHandler:
      (services) =>
      ({ locale }) =>
        listOpen(services, locale),
  }),
  implementCall(readTranslation, {
    createHandler:
      ({ sources, database }) =>
      async ({ path }) => {
        const file = parsePath(path)
        const units = file
          ? await changedUnitsOf(sources, database, file)
          : { reason: 'no such translation' }
        if ('reason' in units) throw new SiteError('badRequest', `path: ${units.reason}`)
        return {
          units: units
            .filter(isOpen)
            .map(({ name, source, target, before }) => ({ name, source, target, before })),
        }
      },
  }),
  implementCall(exportTranslations, {
    createHandler:
      (services) =>
      async ({ locale, path, scope }) => {
        const paths =
          path === undefined
            ? (await listOpen(services, locale)).files.map((file) => file.path)
            : [path]
        const job = { kind: 'export' as const, folders: services.sources, locale, paths, scope }
        return new PlainAnswer('application/xliff+xml', await startJob(services, job), {
          'Content-Disposition': `attachment; filename="${locale}.xlf"`,
        })
      },
  }),
  implementCall(importTranslations, {
    logged: ({ write }) => ({ write }),
    createHandler: (services) => async (input) => {
      const job = { kind: 'import' as const, folders: services.sources, ...input }
      const { answer, sources } = await startJob(services, job)
      if (input.write) await storeTranslationSources(services.database, sources)
      return answer
    },
  }),
]
