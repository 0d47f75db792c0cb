import { analytics } from '../../shared/constants'
import type { EmitEvent } from './analytics'
import type { FailureReport } from './api-client'
import { reportableUrl } from './reportable-url'

type Deps = { page: Pick<Window, 'addEventListener' | 'removeEventListener'>; emit: EmitEvent; buildId: string; onNavigation: (listener: () => void) => () => void }
export type ErrorWatch = { failure: (report: FailureReport) => void; snippet: (message: string) => void; stop: () => void }

const nameOf = (reason: unknown): string => (reason instanceof Error ? `${reason.name}: ${reason.message}` : String(reason)).slice(0, 300)

/** Reports resources that do not load, errors of scripts and rejections that nobody handled: each once, at most 10 a page. */
export function watchErrors({ page, emit, buildId, onNavigation }: Deps): ErrorWatch {
  const { resource, script, rejection } = analytics.errorTypes
  let reported = new Set<string>()
  function report(type: number, message: string, trigger: string, addition: Readonly<Record<string, unknown>> = {}): void {
    const key = `${type} ${message}`
    if (reported.has(key) || reported.size >= analytics.errorsPerPage) return
    reported.add(key)
    emit({ kind: 'error', trigger, error_type: type, message, addition: { ...addition, build: buildId } })
  }
  function failed(event: Event): void {
    const { target } = event
    if (target instanceof Element) {
      const address = reportableUrl(target.getAttribute('src') ?? target.getAttribute('href') ?? '', document.baseURI)
      return report(resource, `${target.localName} ${address}`, 'resource error')
    }
    if (event instanceof ErrorEvent) report(script, nameOf(event.error ?? event.message), 'script error', { file: reportableUrl(event.filename), line: event.lineno })
  }
  const rejected = (event: PromiseRejectionEvent): void => report(rejection, nameOf(event.reason), 'unhandled rejection')
  /** A chunk or payload that failed while navigating (spec section 8). */
  const preload = (event: Event): void => report(resource, `preload-error ${event instanceof CustomEvent ? nameOf((event.detail as { message?: unknown } | null)?.message ?? event.detail) : ''}`, 'preload-error')

  // Resource errors do not bubble: they are seen on their way down.
  page.addEventListener('error', failed, true)
  page.addEventListener('unhandledrejection', rejected)
  page.addEventListener('preload-error', preload)
  const stop = onNavigation(() => {
    reported = new Set()
  })
  return {
    failure: ({ trigger, path, message }) => report(resource, `${path}: ${message}`.slice(0, 300), trigger),
    snippet: (message) => report(script, message.slice(0, 300), 'statistics snippet'),
    stop() {
      stop()
      page.removeEventListener('error', failed, true)
      page.removeEventListener('unhandledrejection', rejected)
      page.removeEventListener('preload-error', preload)
    },
  }
}
