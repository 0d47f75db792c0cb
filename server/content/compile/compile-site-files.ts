import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Connection } from '../database'
import { siteConfigSchema, type SiteConfig } from '../site-config'
import { sourceHash } from './compile-article'
import { compileRedirects, redirectsFile } from './compile-redirects'
import { parseYaml } from './front-matter'
import { createMeta } from './generation-writer'
import type { CompilePass, SourceFiles, Sources } from './source-files'

const siteConfigFile = 'content/site.yaml'

/** Used while there is no valid `site.yaml` yet. */
const defaultSiteConfig = (): SiteConfig =>
  siteConfigSchema.parse({
    brand: 'Website',
    contact: {
      email: 'hello@example.com',
      support: 'hello@example.com',
      abuse: 'hello@example.com',
    },
  })

function readOptional(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

/** Compiles `site.yaml` and `redirects.yaml`. */
export function createSiteFilesCompiler(db: Connection, sources: Sources, files: SourceFiles) {
  const meta = createMeta(db)
  const findDocument = db.prepare<[string], { json: string }>(
    'SELECT json FROM documents WHERE name = ?',
  )
  const saveDocument = db.prepare('INSERT OR REPLACE INTO documents VALUES (?, ?)')

  return {
    /** Stores the site's configuration. While the file is invalid, the last valid one is kept. */
    compileSiteConfig(pass: CompilePass): SiteConfig {
      const source = readOptional(join(sources.content, 'site.yaml'))
      const stored = findDocument.get('site')?.json
      const parsed =
        source === null
          ? { ok: false as const, problems: [{ line: 1, reason: 'the file is missing' }] }
          : parseYaml(source, siteConfigSchema)
      files.report(siteConfigFile, parsed.ok ? [] : parsed.problems)
      // The cast: only validated configurations are stored.
      const previous = stored === undefined ? null : (JSON.parse(stored) as SiteConfig)
      const config = parsed.ok ? parsed.value : (previous ?? defaultSiteConfig())
      const json = JSON.stringify(config)
      if (json !== stored) {
        saveDocument.run('site', json)
        pass.tags.add('site')
      }
      return config
    },
    /** Stores the redirect table. It is skipped where nothing changed: it checks every row. */
    compileRedirectTable(pass: CompilePass, preSales: boolean): void {
      const source = readOptional(join(sources.content, 'redirects.yaml')) ?? ''
      const hash = sourceHash(source, sources.compiler)
      if (meta.get('redirects') === hash) return
      const { rows, problems } = compileRedirects(source, db, preSales)
      files.report(redirectsFile, problems)
      saveDocument.run('redirects', JSON.stringify(rows))
      meta.set('redirects', hash)
      pass.tags.add('redirects')
    },
  }
}
