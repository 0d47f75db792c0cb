import type { System } from '../../../shared/content'
import { newestRelease } from '../loaders/articles'
import type { ShowContext } from '../loaders/context'

/** Stands in a snippet for the name under which a browser saves the newest release's file. A word, so that every highlighter leaves it whole. */
const filePlace = 'FILENAME'

/** Commands of the interface: code is the same in every language, so it stands here and not among the texts. The build colours them. */
export const snippets = {
  'verify-windows': {
    language: 'powershell',
    system: 'com_win64',
    code: `Get-FileHash $HOME\\Downloads\\${filePlace} -Algorithm SHA256`,
  },
  'verify-mac': {
    language: 'bash',
    system: 'com_arm64',
    code: `shasum -a 256 ~/Downloads/${filePlace}`,
  },
} as const satisfies Record<string, { language: string; system: System; code: string }>
export type SnippetName = keyof typeof snippets
/** The snippets as HTML, as the build has highlighted them: doing it here would hold up all visitors for a tenth of a second. */
export type SnippetHtml = Readonly<Record<SnippetName, string>>

export const isSnippet = (value: string): value is SnippetName => Object.hasOwn(snippets, value)

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)

/** A snippet with the newest release's file in it. */
export function filledSnippet(
  context: ShowContext,
  html: SnippetHtml,
  name: SnippetName,
): { html: string } {
  const files = newestRelease(context)?.front.files ?? []
  const file =
    files
      .find(({ system }) => system === snippets[name].system)
      ?.url.split('/')
      .at(-1) ?? '…'
  return { html: html[name].replaceAll(filePlace, () => escapeHtml(file)) }
}
