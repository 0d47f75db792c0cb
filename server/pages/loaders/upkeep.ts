import type { Collection } from '../../../shared/content'
import { locales } from '../../../shared/i18n/locales'
import type { Article } from '../../../shared/page-data'
import type { FullEntry } from '../../content/store/entry'
import type { LoadContext } from './context'

/** Collections that are looked up rather than read once: what is wrong in them is worth mending. */
const keptUp: readonly Collection[] = ['docs', 'helps', 'guide']

const changed = ({ updated, date }: { updated: string | null; date: string | null }): string =>
  updated ?? date ?? ''

/** The text that an entry was translated from: that of the next language of its chain which has one. */
function originalOf({ store }: LoadContext, entry: FullEntry): FullEntry | null {
  const written = store.localesOf(entry.collection, entry.id)
  const code = locales[entry.locale].fallback.find(
    (candidate) => candidate !== entry.locale && written.includes(candidate),
  )
  return code ? store.entry(entry.collection, entry.id, code) : null
}

/** Where a text is edited, and whether its original has been changed since it was translated. */
export function upkeepOf(
  context: LoadContext,
  entry: FullEntry,
): Pick<Article, 'edit' | 'outdated'> {
  if (!keptUp.includes(entry.collection)) return {}
  const { edit_url: address } = context.store.site()
  const original = originalOf(context, entry)
  return {
    ...(address
      ? { edit: address.replaceAll('{path}', `${entry.collection}/${entry.id}/${entry.locale}.md`) }
      : {}),
    ...(original && changed(original) > changed(entry)
      ? { outdated: { source: original.locale, day: changed(original) } }
      : {}),
  }
}
