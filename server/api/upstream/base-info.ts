import { createHash } from 'node:crypto'
import { z } from 'zod'
import { upstream } from '../../../shared/constants'
import { localeCodes, locales, type LocaleCode } from '../../../shared/i18n/locales'
import { readBaseInfo, type BaseInfo } from '../../content/store/read-base-info'
import { linkTarget } from '../../content/site-config'
import type { ContentStore } from '../../content/store/store'
import type { Settings } from '../../env'
import type { Logger } from '../../telemetry/logger'
import { createUpstreamReader, type ReadUpstream } from './upstream-reader'

export type BaseInfoProvider = {
  /**
   * Base info of a language, without waiting: the last good response of the backend, with empty
   * fields filled from `content/site.yaml` and the texts. Returns the same object until it changes.
   */
  of: (locale: LocaleCode) => BaseInfo
  /**
   * Identifies the part that comes from the backend: equal in processes that hold the same
   * responses. Empty without a backend.
   */
  state: () => string
  close: () => void
}

/** A field of the wrong form counts as empty, so that one bad field does not discard the others. */
const baseInfoSchema = z.object({
  register_url: linkTarget.catch(''),
  login_url: linkTarget.catch(''),
  title: z.string().max(300).catch(''),
  keywords: z.string().max(1000).catch(''),
  description: z.string().max(1000).catch(''),
  statistical_body: z.string().max(20_000).catch(''),
  statistical_title: z.string().max(20_000).catch(''),
})

const withoutEmptyFields = (info: BaseInfo): Partial<BaseInfo> =>
  Object.fromEntries(Object.entries(info).filter(([, value]) => value !== ''))

/**
 * The base info of the backend that `API_UPSTREAM` names, else of the content. Starts to refresh
 * it.
 */
export function createBaseInfoProvider(
  { API_UPSTREAM }: Settings,
  store: ContentStore,
  log: Logger,
  onChange: () => void,
): BaseInfoProvider {
  const local = createLocalBaseInfo(store)
  if (!API_UPSTREAM) return local
  const reader = createUpstreamReader(API_UPSTREAM)
  const provider = createUpstreamBaseInfo({ read: reader.read, local, log, onChange })
  const stopRefreshing = refreshRepeatedly(provider.refresh)
  return {
    ...provider,
    close() {
      stopRefreshing()
      local.close()
      reader.close()
    },
  }
}

/** Base info of the content store. Content changes purge pages by the tags of the content. */
function createLocalBaseInfo(store: ContentStore): BaseInfoProvider {
  const cached = new Map<LocaleCode, BaseInfo>()
  store.onChange(() => cached.clear())
  return {
    of(locale) {
      const info = cached.get(locale) ?? readBaseInfo(store, locale)
      cached.set(locale, info)
      return info
    },
    state: () => '',
    close: () => undefined,
  }
}

type UpstreamBaseInfoOptions = {
  read: ReadUpstream
  local: Pick<BaseInfoProvider, 'of'>
  log: Logger
  /** Called when the response for a language differs from the one before. */
  onChange: () => void
}

/**
 * Base info of the operator's backend, refreshed in the background so that no render waits for it
 * (spec 7.11). While the backend fails, the last good response stays in use. A failed refresh is
 * one line in the log.
 */
export function createUpstreamBaseInfo({
  read,
  local,
  log,
  onChange,
}: UpstreamBaseInfoOptions): Pick<BaseInfoProvider, 'of' | 'state'> & {
  /** Reads all languages. Returns whether all succeeded. */
  refresh: () => Promise<boolean>
} {
  const received = new Map<LocaleCode, { json: string; info: Partial<BaseInfo> }>()
  const merge = createMerger()
  let state: string | null = null

  /** Returns whether the response differs from the one before. */
  async function refreshLocale(locale: LocaleCode): Promise<boolean> {
    const query = { lang: locales[locale].language, type: 'home' }
    const info = withoutEmptyFields(await read('/home/base-info', query, baseInfoSchema))
    const json = JSON.stringify(info)
    if (received.get(locale)?.json === json) return false
    received.set(locale, { json, info })
    state = null
    return true
  }

  return {
    async refresh() {
      const results = await Promise.allSettled(localeCodes.map(refreshLocale))
      const errors = results.flatMap((result): unknown[] =>
        result.status === 'rejected' ? [result.reason] : [],
      )
      if (errors.length > 0)
        log.warn(
          { err: errors[0], languages: errors.length },
          'base info could not be read; the last known values stay in use',
        )
      if (results.some((result) => result.status === 'fulfilled' && result.value)) onChange()
      return errors.length === 0
    },
    of: (locale) => merge(locale, local.of(locale), received.get(locale)?.info),
    state: () =>
      (state ??= createHash('sha256')
        .update(JSON.stringify(localeCodes.map((locale) => received.get(locale)?.json ?? '')))
        .digest('base64url')),
  }
}

/** Merges two records. Returns the same object as before while both inputs are the same objects. */
function createMerger() {
  const merged = new Map<
    LocaleCode,
    { base: BaseInfo; override: Partial<BaseInfo> | undefined; info: BaseInfo }
  >()
  return (locale: LocaleCode, base: BaseInfo, override?: Partial<BaseInfo>): BaseInfo => {
    const cached = merged.get(locale)
    if (cached?.base === base && cached.override === override) return cached.info
    const info = { ...base, ...override }
    merged.set(locale, { base, override, info })
    return info
  }
}

/**
 * Calls `refresh` at once, then at intervals, which are shorter after a failure. Returns a function
 * that stops it.
 */
function refreshRepeatedly(refresh: () => Promise<boolean>): () => void {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  async function run(): Promise<void> {
    const succeeded = await refresh()
    if (isStopped) return
    const delayMs = succeeded ? upstream.refreshIntervalMs : upstream.retryDelayMs
    timer = setTimeout(() => void run(), delayMs).unref()
  }
  void run()
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}
