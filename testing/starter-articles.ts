import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { LocaleCode } from '../shared/i18n/locales'
import { root } from './root'

/**
 * Ids of the starter's blog articles that have a text in this language; the others show a fallback.
 */
export const ownTo = (code: LocaleCode): string[] =>
  readdirSync(join(root, 'content/blog')).filter((id) =>
    existsSync(join(root, 'content/blog', id, `${code}.md`)),
  )
