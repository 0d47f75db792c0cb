import type { Consent } from './consent'

/** What the server made of the operator's own HTML: scripts by address, inline ones as files of this site (decisions 7). */
export type StatisticsScripts = { head: readonly string[]; body: readonly string[] }
type Deps = {
  consent: Pick<Consent, 'allowed'>
  scripts: StatisticsScripts
  loadScript: (address: string) => Promise<unknown>
  failed: (message: string) => void
}

/** Loads the scripts of a statistics service one after the other, where measuring is allowed; a failure is logged and breaks nothing. */
export function startStatisticsSnippets({
  consent,
  scripts,
  loadScript,
  failed,
}: Deps): () => void {
  let started = false
  async function load(): Promise<void> {
    if (started || !consent.allowed.get()) return
    started = true
    for (const address of [...scripts.head, ...scripts.body])
      await loadScript(address).catch((error: unknown) =>
        failed(`statistics snippet: ${String(error)}`),
      )
  }
  const stop = consent.allowed.subscribe(() => void load())
  void load()
  return stop
}
