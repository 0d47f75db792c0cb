import type { PagePayload } from '../../shared/payload'
import type { AnyPage } from '../pages'
import type { LoadingBar } from './loading-bar'
import { CodeLoadError, type ResolvedTarget } from './resolve-target'

/**
 * How the history changes: `push` for a link, `replace` for a link to the page itself, `pop` for
 * the browser's back and forward buttons.
 */
export type HistoryAction = 'push' | 'replace' | 'pop'
export type FetchedPage = {
  url: URL
  action: HistoryAction
  payload: PagePayload
  component: AnyPage
  /** Time of the click by the clock of the navigation. */
  startedAt: number
}
type Options = {
  bar: Pick<LoadingBar, 'start' | 'finish' | 'fail'>
  now: () => number
  /** Whether the page's payload is cached and young enough to be shown. */
  hasPayload: (url: URL) => boolean
  /** Finds out whether a later build is deployed. Takes 150 ms at most, never rejects. */
  confirmBuild: () => Promise<void>
  isStale: () => boolean
  isOffline: () => boolean
  resolve: (url: URL, signal: AbortSignal) => Promise<ResolvedTarget>
  show: (page: FetchedPage) => void
  /** Loads an address fully. */
  load: (address: string, action: HistoryAction) => void
  onOffline: (action: HistoryAction) => void
  onPayloadFailure: (url: URL, error: unknown) => void
  onCodeFailure: (url: URL, error: unknown, action: HistoryAction) => void
}
export type Navigation = {
  open: (url: URL, action: HistoryAction) => Promise<void>
  /** Gives up the navigation that is under way. */
  cancel: () => void
}

function handleFailure(options: Options, url: URL, action: HistoryAction, error: unknown): void {
  options.bar.fail()
  if (options.isOffline()) {
    options.onOffline(action)
  } else if (error instanceof CodeLoadError) {
    options.onCodeFailure(url, error.cause, action)
  } else {
    options.onPayloadFailure(url, error)
    options.load(url.href, action)
  }
}

/**
 * Replaces the page on the screen: fetches the next one, then shows it at once. A later call
 * supersedes an earlier one. What cannot be shown here (another build, language or site, a failure)
 * becomes a full load, so every link leads to its address.
 */
export function createNavigation(options: Options): Navigation {
  const { bar, now, load } = options
  let pending: { address: string; controller: AbortController } | null = null

  function finish(
    target: ResolvedTarget,
    url: URL,
    action: HistoryAction,
    startedAt: number,
  ): void {
    if (target.kind === 'load') {
      load(target.address, action)
      return
    }
    bar.finish()
    options.show({
      ...target.page,
      // Back or forward to an address that redirects: its history entry gets the new address.
      action: action === 'pop' && target.page.url.href !== url.href ? 'replace' : action,
      startedAt,
    })
  }
  return {
    cancel() {
      pending?.controller.abort()
      if (pending) bar.finish()
      pending = null
    },
    async open(url, action) {
      if (pending?.address === url.href && action !== 'pop') return
      pending?.controller.abort()
      const controller = new AbortController()
      const { signal } = controller
      const isSuperseded = (): boolean => signal.aborted
      pending = { address: url.href, controller }
      const startedAt = now()
      bar.start()
      // A cached payload cannot tell that a later build is deployed.
      if (options.hasPayload(url)) await options.confirmBuild()
      if (isSuperseded()) return
      if (options.isStale()) {
        // The visitor may stop the load, or return to this document, and click the link again.
        pending = null
        load(url.href, action)
        return
      }
      try {
        const target = await options.resolve(url, signal)
        if (isSuperseded()) return
        pending = null
        finish(target, url, action, startedAt)
      } catch (error) {
        if (isSuperseded()) return
        pending = null
        handleFailure(options, url, action, error)
      }
    },
  }
}
