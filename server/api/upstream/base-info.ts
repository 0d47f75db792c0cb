import { createHash } from 'node:crypto'
import { z } from 'zod'
import { upstream } from '../../../shared/constants'
import { localeCodes, locales, type LocaleCode } from '../../../shared/i18n/locales'
import { readBaseInfo, type BaseInfo } from '../../content/store/read-base-info'
import { linkTarget } from '../../content/site-config'
import type { ContentStore } from '../../content/store/store'
import type { Settings } from '../../env'
import type { Logger } from '../../telemetry/logger'
import { createReadUpstream, type ReadUpstream } from './read-upstream'

export type BaseInfoKeeper = {
  /** Base info of a language, at once: the last good answer, field by field completed from `content/site.yaml` and the texts. The same object until it changes. */
  of: (locale: LocaleCode) => BaseInfo
  /** What of it does not come from the content: equal in processes that know the same. */
  state: () => string
  close: () => void
}

/** A field of another form counts as empty: one bad field of the backend's must not take the others along. */
const baseInfoSchema = z.object({
  register_url: linkTarget.catch(''),
  login_url: linkTarget.catch(''),
  title: z.string().max(300).catch(''),
  keywords: z.string().max(1000).catch(''),
  description: z.string().max(1000).catch(''),
  statistical_body: z.string().max(20_000).catch(''),
  statistical_title: z.string().max(20_000).catch(''),
})

const filled = (info: BaseInfo): Partial<BaseInfo> =>
  Object.fromEntries(Object.entries(info).filter(([, value]) => value !== ''))

/** With the embedded API, base info is what the content store holds; its changes purge by the tags of the content. */
export function localBaseInfo(store: ContentStore): BaseInfoKeeper {
  const known = new Map<LocaleCode, BaseInfo>()
  store.onChange(() => known.clear())
  return {
    of(locale) {
      const info = known.get(locale) ?? readBaseInfo(store, locale)
      known.set(locale, info)
      return info
    },
    state: () => '',
    close: () => undefined,
  }
}

type KeeperOptions = {
  read: ReadUpstream
  local: BaseInfoKeeper
  log: Logger
  /** Called when the answer for a language is another one than before. */ onChange: () => void
}

/**
 * Base info of the operator's backend: asked for in the background, kept by the process, never awaited by a render (decisions 7). While the
 * backend fails, the last good answer stays; a round of failures is one line in the log.
 */
export function keepBaseInfo({ read, local, log, onChange }: KeeperOptions): BaseInfoKeeper & {
  /** One round; answers whether all languages were read. */ refresh: () => Promise<boolean>
  /** Rounds from now on. */ start: () => void
} {
  const kept = new Map<LocaleCode, { json: string; info: Partial<BaseInfo> }>()
  const completed = new Map<
    LocaleCode,
    { base: BaseInfo; own: Partial<BaseInfo> | undefined; info: BaseInfo }
  >()
  let state: string | null = null
  let timer: NodeJS.Timeout | undefined
  let closed = false

  async function refreshOne(locale: LocaleCode): Promise<boolean> {
    const info = filled(
      await read(
        '/home/base-info',
        { lang: locales[locale].language, type: 'home' },
        baseInfoSchema,
      ),
    )
    const json = JSON.stringify(info)
    if (kept.get(locale)?.json === json) return false
    kept.set(locale, { json, info })
    state = null
    return true
  }

  async function refresh(): Promise<boolean> {
    const results = await Promise.allSettled(localeCodes.map(refreshOne))
    const failed = results.filter((result) => result.status === 'rejected')
    if (failed[0])
      log.warn(
        { err: failed[0].reason as unknown, languages: failed.length },
        'base info could not be read; what was known stays',
      )
    if (results.some((result) => result.status === 'fulfilled' && result.value)) onChange()
    return failed.length === 0
  }
  async function rounds(): Promise<void> {
    const good = await refresh()
    // A backend that was away at the start is not to be missed for a minute.
    if (!closed)
      timer = setTimeout(
        () => void rounds(),
        good ? upstream.refreshEvery : upstream.refreshAfterFailure,
      ).unref()
  }

  return {
    refresh,
    start: () => void rounds(),
    of(locale) {
      const base = local.of(locale)
      const own = kept.get(locale)?.info
      const known = completed.get(locale)
      if (known?.base === base && known.own === own) return known.info
      const info = { ...base, ...own }
      completed.set(locale, { base, own, info })
      return info
    },
    state: () =>
      (state ??= createHash('sha256')
        .update(JSON.stringify(localeCodes.map((locale) => kept.get(locale)?.json ?? '')))
        .digest('base64url')),
    close() {
      closed = true
      clearTimeout(timer)
      local.close()
    },
  }
}

/** Base info of whoever answers the API. The first answer of a backend is asked for at once, and waited for by nobody. */
export function createBaseInfo(
  { API_UPSTREAM }: Settings,
  store: ContentStore,
  log: Logger,
  onChange: () => void,
): BaseInfoKeeper {
  const local = localBaseInfo(store)
  if (!API_UPSTREAM) return local
  const { read, close } = createReadUpstream(API_UPSTREAM)
  const keeper = keepBaseInfo({ read, local, log, onChange })
  keeper.start()
  return {
    of: keeper.of,
    state: keeper.state,
    close() {
      keeper.close()
      close()
    },
  }
}
