import type { VisitorSettings } from '../../shared/view'
import type { Consent } from './consent'

type Deps = {
  consent: Pick<Consent, 'allowed'>
  /** What the operator's statistics snippets load (spec 7.10). */
  statistics: VisitorSettings['statistics']
  loadScript: (address: string) => Promise<unknown>
  loadPicture: (address: string) => void
  onFailure: (message: string) => void
}

/**
 * Loads pictures, and scripts one after the other, where measuring is allowed. A failure does not
 * stop the next.
 */
export function startStatisticsSnippets({
  consent,
  statistics,
  loadScript,
  loadPicture,
  onFailure,
}: Deps): () => void {
  let hasStarted = false
  async function load(): Promise<void> {
    if (hasStarted || !consent.allowed.get()) return
    hasStarted = true
    statistics.pixels.forEach(loadPicture)
    for (const address of [...statistics.head, ...statistics.body])
      await loadScript(address).catch((error: unknown) =>
        onFailure(`statistics snippet: ${String(error)}`),
      )
  }
  const stop = consent.allowed.subscribe(() => void load())
  void load()
  return stop
}
