import type { Consent } from './consent'

/**
 * Addresses of the scripts of the operator's statistics snippets. The server has stored inline
 * scripts as files of this site (spec 7.10).
 */
export type StatisticsScripts = { head: readonly string[]; body: readonly string[] }
type Deps = {
  consent: Pick<Consent, 'allowed'>
  scripts: StatisticsScripts
  loadScript: (address: string) => Promise<unknown>
  onFailure: (message: string) => void
}

/**
 * Loads the scripts one after the other where measuring is allowed. A failure does not stop the
 * next.
 */
export function startStatisticsSnippets({
  consent,
  scripts,
  loadScript,
  onFailure,
}: Deps): () => void {
  let hasStarted = false
  async function load(): Promise<void> {
    if (hasStarted || !consent.allowed.get()) return
    hasStarted = true
    for (const address of [...scripts.head, ...scripts.body])
      await loadScript(address).catch((error: unknown) =>
        onFailure(`statistics snippet: ${String(error)}`),
      )
  }
  const stop = consent.allowed.subscribe(() => void load())
  void load()
  return stop
}
