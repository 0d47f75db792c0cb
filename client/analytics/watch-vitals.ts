import { onCLS, onINP, onLCP, type Metric } from 'web-vitals'
import type { BeginEvent } from './analytics'

/**
 * Web vitals of the first page, as one event when the page is hidden: the kinds are four (spec section 5), so it goes as a view
 * with the trigger `web-vitals`, which counts nowhere as a view. LCP and INP in ms, CLS as it is. It is begun with the first value:
 * one made while the page goes would come too late to be sealed.
 */
export function watchVitals({
  page,
  begin,
  route,
}: {
  page: Document
  begin: BeginEvent
  route: string
}): () => void {
  const values: Record<string, number> = {}
  const event = begin()
  let stopped = false
  const keep = ({ name, value }: Metric): void => {
    if (stopped) return
    values[name.toLowerCase()] =
      name === 'CLS' ? Math.round(value * 10_000) / 10_000 : Math.round(value)
    event.change({ kind: 'view', trigger: 'web-vitals', addition: { ...values, route } })
  }
  const options = { reportAllChanges: true }
  onLCP(keep, options)
  onINP(keep, options)
  onCLS(keep, options)
  function hidden(): void {
    if (page.visibilityState !== 'hidden') return
    stop()
    event.emit()
  }
  function stop(): void {
    stopped = true
    page.removeEventListener('visibilitychange', hidden, true)
  }
  // On its way down: the queue, which listens on the document itself, hands over what is there by then.
  page.addEventListener('visibilitychange', hidden, true)
  return stop
}
