import { onCLS, onINP, onLCP, type Metric } from 'web-vitals'
import type { BeginEvent } from './analytics'

/**
 * Reports the web vitals of the first page as one event when the page is hidden. There are only
 * four kinds of events (spec 6.7), so it is a view with the trigger `web-vitals`, which is not
 * counted as a view. LCP and INP in ms, CLS to four decimals. The event begins with the first
 * value: one created while the page is being closed could not be encrypted in time.
 */
export function watchVitals({
  document,
  beginEvent,
  route,
}: {
  document: Document
  beginEvent: BeginEvent
  route: string
}): () => void {
  const values: Record<string, number> = {}
  const event = beginEvent()
  let isStopped = false
  const onValue = ({ name, value }: Metric): void => {
    if (isStopped) return
    values[name.toLowerCase()] =
      name === 'CLS' ? Math.round(value * 10_000) / 10_000 : Math.round(value)
    event.update({ kind: 'view', trigger: 'web-vitals', addition: { ...values, route } })
  }
  const options = { reportAllChanges: true }
  onLCP(onValue, options)
  onINP(onValue, options)
  onCLS(onValue, options)
  function onVisibilityChange(): void {
    if (document.visibilityState !== 'hidden') return
    stop()
    event.finish()
  }
  function stop(): void {
    isStopped = true
    document.removeEventListener('visibilitychange', onVisibilityChange, true)
  }
  // In the capture phase: it must run before the listener that hands the queue to the browser.
  document.addEventListener('visibilitychange', onVisibilityChange, true)
  return stop
}
