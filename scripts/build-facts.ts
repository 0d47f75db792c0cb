import { highlightLines } from '../server/content/compile/highlight'
import { snippets, type SnippetHtml } from '../shared/snippets'
import { warmPaths, type WarmPaths } from '../shared/routes/warm-paths'
import { compilerId, routesId } from './build-id.mjs'

/** The content of `build.json`, which `server/build-info.ts` reads. */
type BuildFacts = {
  id: string
  timestamp: number
  compiler: string
  routes: string
  warm: WarmPaths
  snippets: SnippetHtml
}

/** Collects the facts of a build, with the current time as its timestamp (ms since 1970). */
export function collectBuildFacts(root: string, id: string): BuildFacts {
  const html = Object.entries(snippets).map(([name, { language, code }]) => [
    name,
    highlightLines(code, language),
  ])
  return {
    id,
    timestamp: Date.now(),
    compiler: compilerId(root),
    routes: routesId(root),
    warm: warmPaths(),
    snippets: Object.fromEntries(html) as SnippetHtml,
  }
}
