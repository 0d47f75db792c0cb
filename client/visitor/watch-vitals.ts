import { onCLS, onINP, onLCP, type Metric } from 'web-vitals'
import type { EmitEvent } from './analytics'

/**
 * Web vitals of the first page, as one event when the page is hidden: the kinds are four (spec section 5), so it goes as a view
 * with the trigger `web-vitals`, which counts nowhere as a view. LCP and INP in ms, CLS as it is.
 */
export function watchVitals({ page, emit, route }: { page: Document; emit: EmitEvent; route: string }): () => void {
  const values: Record<string, number> = {}
  let stopped = false
  const keep = ({ name, value }: Metric): void => {
    values[name.toLowerCase()] = name === 'CLS' ? Math.round(value * 10_000) / 10_000 : Math.round(value)
  }
  onLCP(keep)
  onINP(keep)
  onCLS(keep)
  function hidden(): void {
    if (stopped || page.visibilityState !== 'hidden' || Object.keys(values).length === 0) return
    stop()
    emit({ kind: 'view', trigger: 'web-vitals', addition: { ...values, route } })
  }
  function stop(): void {
    stopped = true
    page.removeEventListener('visibilitychange', hidden)
  }
  page.addEventListener('visibilitychange', hidden)
  return stop
}
