import { highlightedLines } from '../server/content/compile/highlight'
import { snippets, type SnippetHtml } from '../shared/snippets'
import { warmPaths, type WarmPaths } from '../shared/routes/warm-paths'
import { compilerId } from './build-id.mjs'

/** What `build.json` says; `server/build-info.ts` reads it. */
export type BuildFacts = {
  id: string
  timestamp: number
  compiler: string
  warm: WarmPaths
  snippets: SnippetHtml
}

/** Facts of a build that is made now. */
export function buildFacts(root: string, id: string): BuildFacts {
  const html = Object.entries(snippets).map(([name, { language, code }]) => [
    name,
    highlightedLines(code, language),
  ])
  return {
    id,
    timestamp: Date.now(),
    compiler: compilerId(root),
    warm: warmPaths(),
    snippets: Object.fromEntries(html) as SnippetHtml,
  }
}
