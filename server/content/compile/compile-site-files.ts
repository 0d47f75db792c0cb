import { join } from 'node:path'
import type { z } from 'zod'
import { productSchema, type Product } from '../../../shared/product-schema'
import type { Connection } from '../database'
import { siteConfigSchema, type SiteConfig } from '../site-config'
import { sourceHash } from './compile-article'
import { compileRedirects, createArticleFacts, redirectsFile } from './compile-redirects'
import { parseYaml } from './front-matter'
import { createMeta } from './generation-writer'
import { readOptional } from './read-source'
import type { CompilePass, SourceFiles, Sources } from './source-files'

/** Used while there is no valid `site.yaml` yet. */
const defaultSiteConfig = { brand: 'Website' }

const prepareStatements = (db: Connection) => ({
  findDocument: db.prepare<[string], { json: string }>('SELECT json FROM documents WHERE name = ?'),
  saveDocument: db.prepare('INSERT OR REPLACE INTO documents VALUES (?, ?)'),
})

/** Compiles `site.yaml` and `product.yaml`. */
export function createSiteFilesCompiler(db: Connection, sources: Sources, files: SourceFiles) {
  const meta = createMeta(db)
  const { findDocument, saveDocument } = prepareStatements(db)

  /**
   * Stores a configuration. While the file is invalid or cannot be read, the last valid one is
   * kept. `ifMissing`: what the file counts as where it is missing; null: as invalid. A file that
   * has not changed is not parsed again: its problems are stored too, and parsing it takes as long
   * as an article.
   */
  function compileConfig<T>(
    pass: CompilePass,
    name: 'site' | 'product',
    schema: z.ZodType<T>,
    fallback: unknown,
    ifMissing: string | null,
  ): T {
    const read = readOptional(join(sources.content, `${name}.yaml`))
    const problem = 'problem' in read ? read.problem : { line: 1, reason: 'the file is missing' }
    const source = 'problem' in read ? null : (read.source ?? ifMissing)
    const stored = findDocument.get(name)?.json
    const hash = source === null ? problem.reason : sourceHash(source, sources.compiler)
    if (stored !== undefined && meta.get(name) === hash)
      // The cast, here and below: only validated configurations are stored.
      return JSON.parse(stored) as T
    meta.set(name, hash)
    const parsed =
      source === null ? { ok: false as const, problems: [problem] } : parseYaml(source, schema)
    files.report(`content/${name}.yaml`, parsed.ok ? [] : parsed.problems)
    if (!parsed.ok && stored !== undefined) return JSON.parse(stored) as T
    const config = parsed.ok ? parsed.value : schema.parse(fallback)
    const json = JSON.stringify(config)
    if (json !== stored) {
      saveDocument.run(name, json)
      pass.tags.add('site')
    }
    return config
  }

  return {
    compileSiteConfig: (pass: CompilePass): SiteConfig =>
      compileConfig(pass, 'site', siteConfigSchema, defaultSiteConfig, null),
    compileProduct: (pass: CompilePass): Product =>
      compileConfig(pass, 'product', productSchema, {}, ''),
  }
}

/**
 * Stores the redirect table. It takes about 1 ms a row, so it is skipped while the file and all
 * facts about articles that its check asked for are the same.
 */
export function createRedirectTableCompiler(db: Connection, sources: Sources, files: SourceFiles) {
  const meta = createMeta(db)
  const { findDocument, saveDocument } = prepareStatements(db)
  const answer = createArticleFacts(db)

  return (pass: CompilePass, preSales: boolean): void => {
    const read = readOptional(join(sources.content, 'redirects.yaml'))
    if ('problem' in read) {
      files.report(redirectsFile, [read.problem])
      meta.set('redirects', '')
      return
    }
    const source = read.source ?? ''
    const hash = sourceHash(source, `${sources.compiler}${sources.routes}${preSales}`)
    const isSameFile = meta.get('redirects') === hash
    // Cast: these are the answers that this function stored last time, by question.
    const known = JSON.parse(meta.get('redirect-facts') ?? '{}') as Record<string, string>
    const hasSameFacts = Object.entries(known).every(([asked, fact]) => answer(asked) === fact)
    if (isSameFile && hasSameFacts) return
    const facts: Record<string, string> = {}
    const { rows, problems } = compileRedirects(
      source,
      preSales,
      (question) => (facts[question] ??= answer(question)),
    )
    const json = JSON.stringify(rows)
    if (!isSameFile || findDocument.get('redirects')?.json !== json) pass.tags.add('redirects')
    files.report(redirectsFile, problems)
    saveDocument.run('redirects', json)
    meta.set('redirects', hash)
    meta.set('redirect-facts', JSON.stringify(facts))
  }
}
