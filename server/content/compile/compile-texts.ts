import { parseDocument } from 'yaml'
import { z } from 'zod'
import { isLocaleCode, type LocaleCode } from '../../../shared/i18n/locales'
import { namespaces } from '../../../shared/i18n/namespaces'
import type { Connection } from '../database'
import type { Problem } from './front-matter'
import { scanTree } from './scan-tree'
import type { CompilePass, SourceFiles } from './source-files'

const isTextFile = (path: string): boolean => /^[^/]+\/[^/]+\.json$/.test(path)
const textsSchema = z.record(z.string(), z.unknown(), 'a JSON object is expected')

function parseTextPath(path: string): { locale: LocaleCode; namespace: string } | null {
  const [locale = '', namespace = ''] = path.replace(/\.json$/, '').split('/')
  const isNamespace = namespaces.some((known) => known === namespace)
  return isLocaleCode(locale) && isNamespace ? { locale, namespace } : null
}

/**
 * Where JSON has its first mistake. `JSON.parse` does not always say so. YAML contains JSON, so its
 * parser finds most of the same mistakes.
 */
function mistakeOffset(source: string, reason: string): number {
  const position = /position (\d+)/.exec(reason)?.[1]
  if (position !== undefined) return Number(position)
  return parseDocument(source, { schema: 'json' }).errors[0]?.pos[0] ?? 0
}

/** Parses a file of interface texts. */
function parseTexts(source: string): { json: string } | { problem: Omit<Problem, 'file'> } {
  try {
    const parsed = textsSchema.safeParse(JSON.parse(source))
    return parsed.success
      ? { json: JSON.stringify(parsed.data) }
      : { problem: { line: 1, reason: parsed.error.issues[0]?.message ?? '' } }
  } catch (error) {
    // The message may hold several lines of the source.
    const reason = (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ')
    const before = source.slice(0, mistakeOffset(source, reason))
    return { problem: { line: before.split('\n').length, reason } }
  }
}

/** Stores the interface texts of `locales/{code}/{namespace}.json`. */
export function createTextCompiler(db: Connection, root: string, files: SourceFiles) {
  const saveText = db.prepare('INSERT OR REPLACE INTO texts VALUES (?, ?, ?)')
  const removeText = db.prepare('DELETE FROM texts WHERE locale = ? AND namespace = ?')

  /** Returns all folders of the tree, so that they can be watched. */
  return (pass: CompilePass): string[] => {
    const scanned = scanTree(root, isTextFile)
    for (const file of scanned.files) {
      const target = parseTextPath(file.path)
      if (!target) continue
      const key = `locales/${file.path}`
      const changed = files.readChanged(key, root, file)
      if (!changed) continue
      const parsed = parseTexts(changed.source)
      files.report(key, 'problem' in parsed ? [parsed.problem] : [])
      if ('problem' in parsed) continue
      saveText.run(target.locale, target.namespace, parsed.json)
      pass.tags.add(`locale:${target.locale}`)
      pass.compiled += 1
    }
    for (const key of files.removeMissing('locales', '', scanned)) {
      const target = parseTextPath(key.slice('locales/'.length))
      pass.removed += 1
      if (!target) continue
      removeText.run(target.locale, target.namespace)
      pass.tags.add(`locale:${target.locale}`)
    }
    return scanned.folders
  }
}
