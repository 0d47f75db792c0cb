import { isMap, isNode, isSeq, LineCounter, parseDocument } from 'yaml'
import { z } from 'zod'
import { isLocaleCode, localeCodes, locales, type LocaleCode } from '../../../shared/i18n/locales'
import { redirectFor } from '../../../shared/routes/availability'
import { match } from '../../../shared/routes/match'
import type { UrlContext } from '../../url/url-context'
import { checkRedirects } from '../../url/check-redirects'
import { pageAvailability } from '../../url/page-availability'
import type { RedirectRow } from '../../url/redirect-table'
import type { Connection } from '../database'
import { createEntryQueries } from '../store/entry-queries'
import { createListQueries } from '../store/list-queries'
import type { Problem } from './front-matter'

export const redirectsFile = 'content/redirects.yaml'

/**
 * Browsers read `\` as `/` and skip tabs and line feeds, so such a target would mean another one.
 */
const printable = z
  .string()
  .regex(/^[^\s\\\p{Cc}\p{Cs}]*$/u, 'no space, backslash or control character')
const path = printable.regex(/^\/(?!\/)/, 'a path that begins with one slash')
/**
 * The host must be spelled out, in ASCII and without a user name: if `:splat` could reach it,
 * `https://partner.example:splat` would lead to `https://partner.example@evil.example`.
 */
const absoluteUrl = printable
  .regex(/^https?:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d+)?(?:[/?#]|$)/i)
  .refine((to) => URL.canParse(to))
const target = z.union(
  [path, absoluteUrl],
  'a path that begins with one slash, or an http or https address that names its host (no user name, no backslash; :splat only after the host)',
)
const rowSchema = z
  .strictObject({
    from: path
      .regex(/^[^?#]*$/, 'no query and no fragment')
      .regex(/^[^*]*(?:\/\*)?$/, '* only as the last segment'),
    to: target,
    status: z
      .union(
        [z.literal(301), z.literal(302), z.literal(307), z.literal(308)],
        '301, 302, 307 or 308',
      )
      .default(301),
    locales: z.array(z.enum(localeCodes)).min(1).optional(),
  })
  .refine((row) => !row.to.includes(':splat') || row.from.endsWith('/*'), {
    path: ['to'],
    message: ':splat needs a from that ends in /*',
  })

function describeIssue(issue: z.core.$ZodIssue): string {
  const reason =
    issue.code === 'unrecognized_keys' ? `no such field: ${issue.keys.join(', ')}` : issue.message
  return `${issue.path.join('.') || 'row'}: ${reason}`
}

/**
 * Parses the rows. An invalid one is reported with its line and skipped. Shadowed rows, loops and
 * rows that start on a live page are left to `checkRedirects`.
 */
export function parseRedirects(source: string): { rows: RedirectRow[]; problems: Problem[] } {
  const lines = new LineCounter()
  const document = parseDocument(source, { lineCounter: lines })
  const problemAt = (offset: number, reason: string): Problem => ({
    file: redirectsFile,
    line: lines.linePos(offset).line,
    reason,
  })
  const rows: RedirectRow[] = []
  if (document.errors.length > 0) {
    const problems = document.errors.map(({ pos, message }) =>
      problemAt(pos[0], message.split('\n', 1)[0] ?? message),
    )
    return { rows, problems }
  }
  if (document.contents === null) return { rows, problems: [] }
  if (!isSeq(document.contents))
    return { rows, problems: [problemAt(0, 'a list of rows is expected')] }

  const problems: Problem[] = []
  for (const node of document.contents.items) {
    const offset = isNode(node) ? node.range[0] : 0
    const parsed = rowSchema.safeParse(isMap(node) ? node.toJSON() : node)
    if (!parsed.success) {
      const { issues } = parsed.error
      problems.push(...issues.map((issue) => problemAt(offset, describeIssue(issue))))
      continue
    }
    const { line } = lines.linePos(offset)
    rows.push({ ...parsed.data, locales: parsed.data.locales ?? null, line })
  }
  return { rows, problems }
}

/**
 * Answers what the check of the rows asks about articles: which languages an entry has
 * (`docs/profiles`), or which document is the first one of a language (`en`).
 */
export function createArticleFacts(db: Connection): (question: string) => string {
  const entries = createEntryQueries(db)
  const lists = createListQueries(db)
  return (question) => {
    if (isLocaleCode(question))
      return lists.ordered({ collection: 'docs', chain: locales[question].fallback })[0]?.id ?? ''
    const slash = question.indexOf('/')
    const texts = entries.localesOf.all(question.slice(0, slash), question.slice(slash + 1))
    return texts.map(({ locale }) => locale).join(' ')
  }
}

/**
 * Compiles `content/redirects.yaml` for the servers: canonical rows in the order of the file. Rows
 * that are invalid, repeated, shadowed or loop are left out and reported with their line.
 */
export function compileRedirects(
  source: string,
  preSales: boolean,
  ask: (question: string) => string,
): { rows: RedirectRow[]; problems: Problem[] } {
  const { rows, problems } = parseRedirects(source)
  if (rows.length === 0) return { rows, problems }
  const store = {
    localesOf: (collection: string, id: string): LocaleCode[] =>
      ask(`${collection}/${id}`).split(' ').filter(isLocaleCode),
  }
  const urlContext: Omit<UrlContext, 'origins' | 'redirects'> = {
    firstDoc: (locale) => ask(locale) || null,
    isSolution: (id) => store.localesOf('solutions', id).length > 0,
    preSales,
  }
  const isLive = (path: string, locale: LocaleCode): boolean => {
    const { prefix } = locales[locale]
    const found = match(prefix === '' ? path : path.slice(prefix.length) || '/')
    if (!found || found.route.redirects) return false
    const page = { route: found.route.id, params: found.params }
    return !redirectFor(page, locale) && pageAvailability(page, store).served.includes(locale)
  }
  const checked = checkRedirects(rows, urlContext, isLive)
  const reported = checked.reports.map(({ line, reason }) => ({
    file: redirectsFile,
    line,
    reason,
  }))
  return { rows: checked.rows, problems: [...problems, ...reported] }
}
