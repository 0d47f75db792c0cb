import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { localeCodes } from '../../../shared/i18n/locales'
import { contentFile } from '../../content/data-files'
import { openForReading } from '../../content/database'
import type { Settings } from '../../env'
import { noted, ok, wrong, type Finding } from './finding'

/** What authors write, what translators write, and what was compiled of both. */
export function checkContent({ CONTENT_DIR, DATA_DIR }: Settings, localesFolder: string): Finding {
  if (!existsSync(join(CONTENT_DIR, 'site.yaml')))
    return wrong(
      'content',
      `${CONTENT_DIR} holds no site.yaml`,
      'let CONTENT_DIR name the folder with the content, readable for the user that runs the site',
    )
  const missing = localeCodes.filter((code) => !existsSync(join(localesFolder, code)))
  if (missing.length > 0)
    return wrong(
      'content',
      `the texts of ${missing.join(', ')} are missing`,
      `bring back ${localesFolder}`,
    )
  const db = openForReading(contentFile(DATA_DIR))
  if (!db) return ok('content', 'will be compiled at the first start')
  try {
    const { articles } = db
      .prepare('SELECT count(*) AS articles FROM articles WHERE live = 1')
      .get() as { articles: number }
    const problems = db
      .prepare('SELECT file, line, reason FROM problems ORDER BY file, line')
      .all() as Array<{ file: string; line: number; reason: string }>
    const [first] = problems
    if (first)
      return wrong(
        'content',
        `${articles} texts, but ${problems.length} reported: ${first.file}:${first.line}: ${first.reason}${problems.length > 1 ? ' …' : ''}`,
        'npm run check:content names them all; what is reported is left out',
      )
    return articles === 0
      ? noted('content', `no text is compiled from ${CONTENT_DIR}`)
      : ok('content', `${articles} texts compiled`)
  } finally {
    db.close()
  }
}
