import { isMap, isSeq, LineCounter, parseDocument } from 'yaml'
import { z } from 'zod'
import { localeCodes } from '../../../shared/i18n/locales'
import type { RedirectRow } from '../../url/redirect-table'
import type { Problem } from './front-matter'

const path = z.string().regex(/^\/(?![/\\])[^\s\\]*$/, 'a path that begins with one slash')
const target = z.union(
  [path, z.string().regex(/^https?:\/\/[^\s/\\@]+(?:\/[^\s\\]*)?$/i, 'an http or https address')],
  'a path that begins with one slash, or an http or https address',
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

export const redirectsFile = 'content/redirects.yaml'

/**
 * Reads the rows as they are written. A bad one is named with its line and skipped; the rest stands. Whether a row is
 * shadowed, loops or starts on a live page is for `checkRedirects` to say.
 */
export function parseRedirects(source: string): { rows: RedirectRow[]; problems: Problem[] } {
  const lines = new LineCounter()
  const document = parseDocument(source, { lineCounter: lines })
  const problem = (offset: number, reason: string): Problem => ({
    file: redirectsFile,
    line: lines.linePos(offset).line,
    reason,
  })
  if (document.errors.length > 0)
    return {
      rows: [],
      problems: document.errors.map((error) =>
        problem(error.pos[0], error.message.split('\n')[0] ?? 'invalid YAML'),
      ),
    }
  if (document.contents === null) return { rows: [], problems: [] }
  if (!isSeq(document.contents))
    return { rows: [], problems: [problem(0, 'a list of rows is expected')] }

  const rows: RedirectRow[] = []
  const problems: Problem[] = []
  for (const node of document.contents.items) {
    const offset = isMap(node) ? (node.range?.[0] ?? 0) : 0
    const parsed = rowSchema.safeParse(isMap(node) ? node.toJSON() : node)
    if (parsed.success)
      rows.push({
        ...parsed.data,
        locales: parsed.data.locales ?? null,
        line: lines.linePos(offset).line,
      })
    else
      problems.push(
        ...parsed.error.issues.map((issue) =>
          problem(
            offset,
            `${issue.path.join('.') || 'row'}: ${issue.code === 'unrecognized_keys' ? `no such field: ${issue.keys.join(', ')}` : issue.message}`,
          ),
        ),
      )
  }
  return { rows, problems }
}
