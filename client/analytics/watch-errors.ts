import { analytics } from '../../shared/constants'
import type { PreloadFailure } from '../navigation/preload-error'
import type { FailureReport } from '../platform/api-client'
import type { EmitEvent } from './analytics'
import {
  capturePhase,
  failureEvents,
  toFailure,
  type EarlyFailures,
  type Failure,
} from './early-failures'
import { findFailedResources } from './failed-resources'
import { redactUrl } from './redact-url'

type Deps = {
  window: Pick<Window, 'addEventListener' | 'removeEventListener'> & {
    performance: Pick<Performance, 'getEntriesByType'>
    location: Pick<Location, 'origin'>
  }
  emit: EmitEvent
  buildId: string
  /** Failures from before analytics was loaded. */
  earlyFailures: EarlyFailures
  onNavigation: (listener: () => void) => () => void
}
type ErrorWatch = {
  /** Reports a statistics snippet that failed. */
  reportSnippet: (message: string) => void
  stop: () => void
}
type ErrorReport = {
  type: number
  message: string
  trigger: string
  addition?: Readonly<Record<string, unknown>>
}

const { resource, script, rejection } = analytics.errorTypes
const maxMessageLength = 300

const describeError = (reason: unknown): string =>
  (reason instanceof Error ? `${reason.name}: ${reason.message}` : String(reason)).slice(
    0,
    maxMessageLength,
  )
const describeResource = (element: string, address: string): ErrorReport => ({
  type: resource,
  message: `${element} ${redactUrl(address, document.baseURI)}`,
  trigger: 'resource error',
})

/** What a failure event reports; null for events without an error. */
function describeFailure({ type, event, address }: Failure): ErrorReport | null {
  // Casts: the type of the event tells its class.
  if (type === 'request-failed') {
    const { trigger, path, message } = (event as CustomEvent<FailureReport>).detail
    return { type: resource, message: `${path}: ${message}`.slice(0, maxMessageLength), trigger }
  }
  if (type === 'unhandledrejection') {
    const reason: unknown = (event as PromiseRejectionEvent).reason
    return { type: rejection, message: describeError(reason), trigger: 'unhandled rejection' }
  }
  if (type === 'preload-error') {
    const { kind, url, error } = (event as CustomEvent<PreloadFailure>).detail
    const message = `preload-error ${kind} ${url}: ${describeError(error)}`
    return { type: resource, message: message.slice(0, maxMessageLength), trigger: type }
  }
  if (event.target instanceof Element) return describeResource(event.target.localName, address)
  if (!(event instanceof ErrorEvent)) return null
  return {
    type: script,
    message: describeError(event.error ?? event.message),
    trigger: 'script error',
    addition: { file: redactUrl(event.filename), line: event.lineno },
  }
}

/**
 * Reports resources that do not load, script errors and unhandled rejections: each once, at most 10
 * per page, including those from before it was started.
 */
export function watchErrors({
  window,
  emit,
  buildId,
  earlyFailures,
  onNavigation,
}: Deps): ErrorWatch {
  let reported = new Set<string>()
  function report({ type, message, trigger, addition }: ErrorReport): void {
    const key = `${type} ${message}`
    if (reported.has(key) || reported.size >= analytics.maxErrorsPerPage) return
    reported.add(key)
    emit({
      kind: 'error',
      trigger,
      error_type: type,
      message,
      addition: { ...addition, build: buildId },
    })
  }
  function reportFailure(failure: Failure): void {
    const description = describeFailure(failure)
    if (description) report(description)
  }
  const onFailure = (event: Event): void => reportFailure(toFailure(event))

  for (const name of failureEvents) window.addEventListener(name, onFailure, capturePhase)
  earlyFailures.take().forEach(reportFailure)
  // Only the browser's own list has failures from before the first script and of resources that are
  // not elements, such as a picture of a style sheet.
  for (const { element, address } of findFailedResources(window))
    report(describeResource(element, address))
  const stopNavigation = onNavigation(() => {
    reported = new Set()
  })
  return {
    reportSnippet: (message) =>
      report({
        type: script,
        message: message.slice(0, maxMessageLength),
        trigger: 'statistics snippet',
      }),
    stop() {
      stopNavigation()
      for (const name of failureEvents) window.removeEventListener(name, onFailure, capturePhase)
    },
  }
}
