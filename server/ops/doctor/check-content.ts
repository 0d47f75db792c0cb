import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { localeCodes } from '../../../shared/i18n/locales'
import { contentFile } from '../../content/data-files'
import { openForReading } from '../../content/database'
import type { Settings } from '../../env'
import { note, ok, problem, type Finding } from './finding'

type ContentDatabase = NonNullable<ReturnType<typeof openForReading>>

function checkCompiled(db: ContentDatabase, contentDir: string): Finding {
  const articles =
    db
      .prepare<[], { count: number }>(
        "SELECT count(*) AS count FROM articles WHERE live = 1 AND source = ''",
      )
      .get()?.count ?? 0
  const problems = db
    .prepare<[], { file: string; line: number; reason: string }>(
      'SELECT file, line, reason FROM problems ORDER BY file, line',
    )
    .all()
  const [first] = problems
  if (first)
    return problem(
      'content',
      `${articles} articles compiled; problems: ${problems.length}, the first is ${first.file}:${first.line}: ${first.reason}`,
      'run npm run check:content to see all of them; files with problems are left out',
    )
  return articles === 0
    ? note('content', `no article is compiled from ${contentDir}`)
    : ok('content', `${articles} articles compiled`)
}

/** Checks the content folder, the translations and the compiled content. */
export function checkContent({ CONTENT_DIR, DATA_DIR }: Settings, localesFolder: string): Finding {
  if (!existsSync(join(CONTENT_DIR, 'site.yaml')))
    return problem(
      'content',
      `${CONTENT_DIR} has no site.yaml`,
      'set CONTENT_DIR to the content folder; the user that runs the site must be able to read it',
    )
  const missing = localeCodes.filter((code) => !existsSync(join(localesFolder, code)))
  if (missing.length > 0)
    return problem(
      'content',
      `the texts of ${missing.join(', ')} are missing`,
      `restore ${localesFolder}`,
    )
  const db = openForReading(contentFile(DATA_DIR))
  if (!db) return ok('content', 'will be compiled at the first start')
  try {
    return checkCompiled(db, CONTENT_DIR)
  } finally {
    db.close()
  }
}
