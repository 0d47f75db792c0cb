import { join } from 'node:path'
import { contentChecks, dayMs } from '../../../shared/constants'
import { localeCodes, locales, type LocaleCode } from '../../../shared/i18n/locales'
import { redirectFor } from '../../../shared/routes/availability'
import { match } from '../../../shared/routes/match'
import { routeOfCollection } from '../../../shared/routes/table'
import { paramsOf } from '../../url/entry-href'
import { isFilePath } from '../../url/localize-links'
import { entryOf, pageAvailability } from '../../url/page-availability'
import {
  createRedirectTable,
  isExternal,
  type RedirectRow,
  type RedirectTable,
} from '../../url/redirect-table'
import type { Connection } from '../database'
import type { FrontMatter } from '../../../shared/front-matter'
import { createDocumentQueries } from '../store/document-queries'
import type { Entry } from '../store/entry'
import { createEntryQueries, type EntryQueries } from '../store/entry-queries'
import { redirectsFile } from './compile-redirects'
import type { Problem } from './front-matter'
import { readOptional } from './read-source'

type Article = Entry & { path: string; html: string; front: FrontMatter[keyof FrontMatter] }
/** A problem in an article; its line is the first one that contains `near`. */
type Finding = { near: string; reason: string }
type SiteContent = {
  entries: EntryQueries
  localesOf: (collection: Entry['collection'], id: string) => LocaleCode[]
  redirects: RedirectTable
}

const describeLocales = (codes: readonly LocaleCode[]): string =>
  codes.length === localeCodes.length ? 'every language' : codes.join(', ')

/** The decoded fragment, or the fragment itself where it cannot be decoded. */
function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

/**
 * Why a link does not work in a language, or null. A page that the language does not offer is no
 * problem: the link is replaced when the page is rendered.
 */
function problemOfLink(
  site: SiteContent,
  code: LocaleCode,
  path: string,
  anchor: string,
): string | null {
  const redirect = site.redirects.find(path, code)
  if (redirect) return `has moved to ${redirect.to}`
  if (isFilePath(path)) return null
  const found = match(path)
  if (!found) return 'no such page'
  if (found.route.redirects) return 'is redirected: link to the page itself'
  const page = { route: found.route.id, params: found.params }
  if (redirectFor(page, code)) return null
  if (!pageAvailability(page, site).served.includes(code)) return 'no such page'
  const entry = anchor === '' ? null : entryOf(page, site)
  if (!entry) return null
  const text = locales[code].fallback
    .map((source) => site.entries.entry.get(entry.collection, entry.id, source))
    .find(Boolean)
  // Compiled links are encoded, ids are not: `#%E9%99%90` is the heading `限`.
  const id = decodeFragment(anchor)
  return text && !text.html.includes(` id="${id}"`) ? `no such heading there: #${id}` : null
}

function checkLinks(
  site: SiteContent,
  { html }: Article,
  shownIn: readonly LocaleCode[],
): Finding[] {
  const findings: Finding[] = []
  for (const [, target = ''] of html.matchAll(/href="site:([^"]*)"/g)) {
    const [, path = '/', anchor = ''] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/.exec(target) ?? []
    const codesByReason = new Map<string, LocaleCode[]>()
    for (const code of shownIn) {
      const reason = problemOfLink(site, code, path, anchor)
      if (reason) codesByReason.set(reason, [...(codesByReason.get(reason) ?? []), code])
    }
    for (const [reason, codes] of codesByReason)
      findings.push({
        near: target,
        reason: `link ${target}: ${reason} (in ${describeLocales(codes)})`,
      })
  }
  for (const [, anchor = ''] of html.matchAll(/href="#([^"]*)"/g))
    if (anchor !== '' && !html.includes(` id="${anchor}"`))
      findings.push({ near: `#${anchor}`, reason: `link #${anchor}: no such heading` })
  for (const [tag] of html.matchAll(/<img\b[^<>]*>/g))
    if (/\balt=""/.test(tag) || !/\balt=/.test(tag))
      findings.push({ near: '![](', reason: 'an image without alternative text' })
  return findings
}

/** Languages in which a page shows this text. */
function localesShowing(site: SiteContent, { collection, id, locale }: Article): LocaleCode[] {
  const translated = site.localesOf(collection, id)
  return localeCodes.filter((code) => {
    const page = { route: routeOfCollection[collection], params: paramsOf(collection, id, code) }
    const source = locales[code].fallback.find((candidate) => translated.includes(candidate))
    return source === locale && !redirectFor(page, code)
  })
}

function checkFacts(site: SiteContent, { collection, front }: Article, today: number): Finding[] {
  const findings: Finding[] = []
  if ('related' in front)
    for (const id of front.related ?? [])
      if (site.localesOf(collection, id).length === 0)
        findings.push({ near: 'related:', reason: `related: there is no ${collection}/${id}` })
  if (!('comparison' in front)) return findings
  const { maxFactAgeDays } = contentChecks
  for (const { feature, theirs } of front.comparison) {
    if (!theirs || today - Date.parse(theirs.checked) <= maxFactAgeDays * dayMs) continue
    const lastChecked = `was last checked on ${theirs.checked}, more than ${maxFactAgeDays} days ago`
    findings.push({ near: theirs.checked, reason: `"${feature}" ${lastChecked}` })
  }
  return findings
}

/** Checks title and description. `seen` holds those of earlier articles, with their paths. */
function checkMetadata(article: Article, seen: Map<string, string>): Finding[] {
  const { locale, path, title, description } = article
  const findings: Finding[] = []
  const maxLength =
    locales[locale].spaceless && locale !== 'th'
      ? contentChecks.maxDenseDescriptionLength
      : contentChecks.maxDescriptionLength
  const { length } = Array.from(description)
  if (length > maxLength)
    findings.push({
      near: 'description:',
      reason: `the description has ${length} letters; search results show ${maxLength}`,
    })
  for (const [field, text] of Object.entries({ title, description })) {
    const key = `${locale} ${field} ${text}`
    const earlier = seen.get(key)
    if (earlier) findings.push({ near: `${field}:`, reason: `the same ${field} as ${earlier}` })
    else seen.set(key, path)
  }
  return findings
}

function checkRedirectTargets(site: SiteContent): Problem[] {
  return site.redirects.rows.flatMap(({ from, to, line, locales: only }) => {
    if (isExternal(to) || to.includes(':splat')) return []
    const path = to.split(/[?#]/, 1)[0] ?? to
    const broken = (only ?? localeCodes).filter((code) => {
      const { prefix } = locales[code]
      const isPrefixed = prefix !== '' && (path === prefix || path.startsWith(`${prefix}/`))
      const unprefixed = isPrefixed ? path.slice(prefix.length) || '/' : path
      return (
        !site.redirects.find(unprefixed, code) && problemOfLink(site, code, unprefixed, '') !== null
      )
    })
    const reason = `${from}: leads to ${to}, where no page is (in ${describeLocales(broken)})`
    return broken.length === 0 ? [] : [{ file: redirectsFile, line, reason }]
  })
}

/** Adds the line of each finding; the source is read only where there is one. */
function locateFindings(content: string, path: string, findings: readonly Finding[]): Problem[] {
  if (findings.length === 0) return []
  // Pages of one file are named after it, as `file#page`.
  const [file = path] = path.slice('content/'.length).split('#')
  const read = readOptional(join(content, file))
  const lines = 'problem' in read ? [] : (read.source ?? '').split('\n')
  return findings.map(({ near, reason }) => ({
    file: `content/${file}`,
    line: lines.findIndex((line) => line.includes(near)) + 1 || 1,
    reason,
  }))
}

/**
 * Checks what a schema cannot see, because it concerns several texts or the current date: links
 * and anchors in every language that shows a text, images without alternative text, texts that no
 * page shows, repeated titles and descriptions, descriptions that are too long, facts about other
 * products that were checked too long ago, and redirects to pages that do not exist.
 */
export function checkContent(db: Connection, content: string, today = Date.now()): Problem[] {
  const entries = createEntryQueries(db)
  const redirects = createDocumentQueries(db).document.get('redirects')?.json ?? '[]'
  const site: SiteContent = {
    entries,
    localesOf: (collection, id) => entries.localesOf.all(collection, id).map((row) => row.locale),
    // The casts here and below: the compiler has validated what it stored as JSON.
    redirects: createRedirectTable(JSON.parse(redirects) as RedirectRow[]),
  }
  const articles = db.prepare<[], Omit<Article, 'front'> & { front: string }>(
    `SELECT key, collection, id, locale, 0 AS converted, title, description, date, updated,
       category, position, minutes, path, html, front
     FROM articles WHERE live = 1 AND source = '' ORDER BY path`,
  )
  const problems: Problem[] = []
  const seen = new Map<string, string>()
  for (const row of articles.iterate()) {
    const article: Article = { ...row, front: JSON.parse(row.front) as Article['front'] }
    const shownIn = localesShowing(site, article)
    const notShown = {
      near: 'title:',
      reason: 'no page shows this text: the language does not offer it',
    }
    const findings = [
      ...(shownIn.length === 0 ? [notShown] : []),
      ...checkLinks(site, article, shownIn),
      ...checkFacts(site, article, today),
      ...checkMetadata(article, seen),
    ]
    problems.push(...locateFindings(content, article.path, findings))
  }
  return [...problems, ...checkRedirectTargets(site)]
}
