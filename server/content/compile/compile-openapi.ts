import { join } from 'node:path'
import type { Connection } from '../database'
import { fillReferences } from '../references'
import { openApiPath } from '../source-path'
import { parseOpenApi } from './check-openapi'
import type { Facts } from './compile-article-files'
import { compileArticle, sourceHash } from './compile-article'
import { createMeta } from './generation-writer'
import { apiPages, type ApiPage } from './openapi-pages'
import { readOptional } from './read-source'
import type { CompilePass, SourceFiles, Sources } from './source-files'
import { prepareArticle } from './prepare-article'
import type { createArticleWriter } from './write-articles'

const file = `content/${openApiPath}`
type ArticleWriter = ReturnType<typeof createArticleWriter>
type SavePages = (pass: CompilePass, pages: readonly ApiPage[], facts: Facts) => void

/** Stores the pages that changed and removes those that are not in the file any more. */
function createPageSaver(
  db: Connection,
  { compiler }: Sources,
  files: SourceFiles,
  writer: ArticleWriter,
): SavePages {
  const stored = db.prepare<[string, string], { path: string; hash: string }>(
    'SELECT path, hash FROM articles WHERE path >= ? AND path < ?',
  )
  const pathOf = ({ id }: ApiPage): string => `${file}#${id}`

  function savePage(pass: CompilePass, page: ApiPage, hash: string, facts: Facts): void {
    const key = { collection: 'docs', id: page.id, locale: 'en' } as const
    const path = pathOf(page)
    const noFile = () => ({ reason: 'the API reference has no pictures' })
    const article = compileArticle(path, key, page.source, facts.in(key.locale), noFile, noFile)
    const isLeftOut = Array.isArray(article)
    const problems = isLeftOut ? article : article.problems
    files.report(
      path,
      problems.map(({ reason }) => ({ line: 1, reason })),
    )
    if (isLeftOut) return
    for (const tag of writer.save(path, hash, prepareArticle(article))) pass.tags.add(tag)
    pass.compiled += 1
  }

  return (pass, pages, facts) => {
    const rows = stored.all(`${file}#`, `${file}#\uFFFF`)
    const known = new Map(rows.map(({ path, hash }) => [path, hash]))
    for (const path of known.keys()) {
      if (pages.some((page) => pathOf(page) === path)) continue
      files.report(path, [])
      for (const tag of writer.remove(path)) pass.tags.add(tag)
      pass.removed += 1
    }
    for (const page of pages) {
      const hash = sourceHash(page.source, compiler)
      if (known.get(pathOf(page)) !== hash) savePage(pass, page, hash, facts)
    }
  }
}

/**
 * Compiles `content/api/openapi.yaml` to one document per tag, and stores the file itself. The
 * documents are Markdown from here on, so search, table of contents and fallback treat them like
 * all others. While the file is invalid, the last valid documents are kept.
 */
export function createOpenApiCompiler(
  db: Connection,
  sources: Sources,
  files: SourceFiles,
  writer: ArticleWriter,
): (pass: CompilePass, facts: Facts) => void {
  const meta = createMeta(db)
  const saveDocument = db.prepare("INSERT OR REPLACE INTO documents VALUES ('openapi', ?)")
  const removeDocument = db.prepare("DELETE FROM documents WHERE name = 'openapi'")
  const savePages = createPageSaver(db, sources, files, writer)

  return (pass, facts) => {
    const read = readOptional(join(sources.content, openApiPath))
    if ('problem' in read) {
      files.report(file, [read.problem])
      meta.set('openapi', '')
      return
    }
    const written = read.source
    const hash = sourceHash(written ?? '', sources.compiler + facts.stamp)
    if (meta.get('openapi') === hash) return
    meta.set('openapi', hash)
    const source = written === null ? null : fillReferences(written, facts.in('en'))
    const parsed = source === null ? null : parseOpenApi(source)
    files.report(file, parsed && !parsed.ok ? parsed.problems : [])
    if (parsed && !parsed.ok) return
    savePages(pass, parsed ? apiPages(parsed.value) : [], facts)
    if (source === null) removeDocument.run()
    else saveDocument.run(JSON.stringify(source))
    // Also publishes a change that no page shows, such as a comment.
    pass.tags.add('openapi')
  }
}
