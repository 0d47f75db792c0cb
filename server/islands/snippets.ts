import type { System } from '../../shared/content'
import { highlightedLines } from '../content/highlight'
import { newestRelease } from '../loaders/articles'
import type { ShowContext } from '../loaders/context'

type Snippet = { language: 'powershell' | 'bash'; code: (fileOf: (system: System) => string) => string }

/** Commands of the interface: code is the same in every language, so it stands here and not among the texts. */
const snippets = {
  'verify-windows': { language: 'powershell', code: (fileOf) => `Get-FileHash $HOME\\Downloads\\${fileOf('com_win64')} -Algorithm SHA256` },
  'verify-mac': { language: 'bash', code: (fileOf) => `shasum -a 256 ~/Downloads/${fileOf('com_arm64')}` },
} as const satisfies Record<string, Snippet>
export type SnippetName = keyof typeof snippets

export const isSnippet = (value: string): value is SnippetName => Object.hasOwn(snippets, value)

/** A snippet as HTML, with the names under which a browser saves the newest release's files. */
export function highlighted(context: ShowContext, name: SnippetName): { html: string } {
  const files = newestRelease(context)?.front.files ?? []
  const { language, code } = snippets[name]
  return { html: highlightedLines(code((system) => files.find((file) => file.system === system)?.url.split('/').at(-1) ?? '…'), language) }
}
