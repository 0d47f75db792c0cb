import { isLocaleCode, type LocaleCode } from '../../../shared/i18n/locales'
import { namespaces } from '../../../shared/i18n/namespaces'
import type { Connection } from '../database'
import { parseTexts } from '../parse-texts'
import { scanTree } from './scan-tree'
import type { CompilePass, SourceFiles } from './source-files'

const isTextFile = (path: string): boolean => /^[^/]+\/[^/]+\.json$/.test(path)

function parseTextPath(path: string): { locale: LocaleCode; namespace: string } | null {
  const [locale = '', namespace = ''] = path.replace(/\.json$/, '').split('/')
  const isNamespace = namespaces.some((known) => known === namespace)
  return isLocaleCode(locale) && isNamespace ? { locale, namespace } : null
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
      saveText.run(target.locale, target.namespace, JSON.stringify(parsed.texts))
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
