import type { PageServices } from './page-services'
import { LRUCache } from 'lru-cache'
import type { LocaleCode } from '../../shared/i18n/locales'
import type { Card } from '../../shared/page-data'
import { switchedOff } from './loaders/switched-off'
import type { Made } from './create-view'

/** Pages offered, and how long a page waits for them (ms): an address that leads nowhere must cost next to nothing. */
const most = 5
const patience = 300
/** Suggestions kept, by language and words: floods ask for the same few addresses, or for none twice. */
const kept = 200
const mostWords = 6

/** Words of an address: those of its last part, which names the page; an ending such as `.php` names none. */
export function wordsOf(path: string): string {
  const last = path.split('/').filter(Boolean).at(-1) ?? ''
  const decoded = /%/.test(last) ? safelyDecoded(last) : last
  return decoded
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word.length > 2 && word.length <= 24 && !/^\d+$/.test(word))
    .slice(0, mostWords)
    .join(' ')
}

function safelyDecoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}

/** Adds to a 404 page the pages that its address may have meant; without them it is still a good page, so a busy search means none. */
export function createNotFoundHelp({ search, store }: Pick<PageServices, 'search' | 'store'>) {
  const known = new LRUCache<string, readonly Card[]>({ max: kept })
  let generation = -1

  async function nearest(words: string, locale: LocaleCode): Promise<readonly Card[]> {
    if (generation !== store.generation()) known.clear()
    generation = store.generation()
    const key = `${locale} ${words}`
    const before = known.get(key)
    if (before) return before
    const hits = await search.nearest(
      { query: `${words} `, locale, collection: null, limit: most, off: switchedOff(store) },
      patience,
    )
    const cards = hits.map(({ url, title, foreign, mark }): Card => ({
      id: url,
      href: url,
      title,
      description: '',
      ...(foreign ? { foreign } : {}),
      ...(mark ? { mark } : {}),
    }))
    if (cards.length > 0) known.set(key, cards)
    return cards
  }

  return async function helpNotFound(made: Made, path: string): Promise<Made> {
    const { data, locale } = made.view
    const words = wordsOf(path)
    if (made.status !== 404 || !data || !('status' in data) || words === '') return made
    const cards = await nearest(words, locale)
    return cards.length > 0
      ? { ...made, view: { ...made.view, data: { ...data, nearest: cards } } }
      : made
  }
}
