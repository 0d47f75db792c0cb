import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { LocaleCode } from '../shared/i18n/locales'
import { root } from './root'

/** Ids of the starter's blog articles that are written in a language; what is still missing is shown in another one, and is not its own. */
export const ownTo = (code: LocaleCode): string[] =>
  readdirSync(join(root, 'content/blog')).filter((id) =>
    existsSync(join(root, 'content/blog', id, `${code}.md`)),
  )
