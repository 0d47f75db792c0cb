import type { System } from './content'

/**
 * Placeholder for the file name of the newest release. It is one word, so that highlighters do not split it.
 */
export const filePlace = 'FILENAME'

/** Commands that pages show. Code is the same in every language, so it is not part of the texts. */
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
/** The snippets as HTML. The build highlights them: at run time it would block the process for 100 ms. */
export type SnippetHtml = Readonly<Record<SnippetName, string>>

export const isSnippet = (value: string): value is SnippetName => Object.hasOwn(snippets, value)
