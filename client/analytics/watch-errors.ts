import { analytics } from '../../shared/constants'
import type { EmitEvent } from './analytics'
import type { FailureReport } from '../platform/api-client'
import {
  addressOf,
  down,
  failureEvents,
  type EarlyFailure,
  type EarlyFailures,
} from './early-failures'
import { failedLoads } from './failed-loads'
import { reportableUrl } from './reportable-url'

type Deps = {
  page: Pick<Window, 'addEventListener' | 'removeEventListener'> & {
    performance: Pick<Performance, 'getEntriesByType'>
    location: Pick<Location, 'origin'>
  }
  emit: EmitEvent
  buildId: string
  /** What has happened before. */
  early: EarlyFailures
  onNavigation: (listener: () => void) => () => void
}
export type ErrorWatch = {
  failure: (report: FailureReport) => void
  snippet: (message: string) => void
  stop: () => void
}

const nameOf = (reason: unknown): string =>
  (reason instanceof Error ? `${reason.name}: ${reason.message}` : String(reason)).slice(0, 300)

/** Reports resources that do not load, errors of scripts and rejections that nobody handled: each once, at most 10 a page, those from before it was started included. */
export function watchErrors({ page, emit, buildId, early, onNavigation }: Deps): ErrorWatch {
  const { resource, script, rejection } = analytics.errorTypes
  let reported = new Set<string>()
  function report(
    type: number,
    message: string,
    trigger: string,
    addition: Readonly<Record<string, unknown>> = {},
  ): void {
    const key = `${type} ${message}`
    if (reported.has(key) || reported.size >= analytics.errorsPerPage) return
    reported.add(key)
    emit({
      kind: 'error',
      trigger,
      error_type: type,
      message,
      addition: { ...addition, build: buildId },
    })
  }
  const failure = ({ trigger, path, message }: FailureReport): void =>
    report(resource, `${path}: ${message}`.slice(0, 300), trigger)
  const load = (element: string, address: string): void =>
    report(resource, `${element} ${reportableUrl(address, document.baseURI)}`, 'resource error')

  function happened({ type, event, address }: EarlyFailure): void {
    const { target } = event
    if (type === 'request-failed') return failure((event as CustomEvent<FailureReport>).detail)
    if (type === 'unhandledrejection')
      return report(
        rejection,
        nameOf((event as PromiseRejectionEvent).reason),
        'unhandled rejection',
      )
    // A chunk or payload that failed while navigating (spec section 8).
    if (type === 'preload-error')
      return report(
        resource,
        `preload-error ${event instanceof CustomEvent ? nameOf((event.detail as { message?: unknown } | null)?.message ?? event.detail) : ''}`,
        'preload-error',
      )
    if (target instanceof Element) return load(target.localName, address)
    if (event instanceof ErrorEvent)
      report(script, nameOf(event.error ?? event.message), 'script error', {
        file: reportableUrl(event.filename),
        line: event.lineno,
      })
  }

  const listen = (event: Event): void =>
    happened({ type: event.type as EarlyFailure['type'], event, address: addressOf(event.target) })
  for (const name of failureEvents) page.addEventListener(name, listen, down)
  early.take().forEach(happened)
  // What failed before the first script ran, or is no element (a picture of a style sheet), only the browser's own list knows.
  for (const { element, address } of failedLoads(page)) load(element, address)
  const stop = onNavigation(() => {
    reported = new Set()
  })
  return {
    failure,
    snippet: (message) => report(script, message.slice(0, 300), 'statistics snippet'),
    stop() {
      stop()
      for (const name of failureEvents) page.removeEventListener(name, listen, down)
    },
  }
}
