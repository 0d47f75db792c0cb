import type { System } from './front-matter'

/** Placeholder for the file name of the newest release: one word, which highlighters keep whole. */
export const fileNamePlaceholder = 'FILENAME'

/** Commands that pages show. They are the same in every language. */
export const snippets = {
  'verify-windows': {
    language: 'powershell',
    system: 'com_win64',
    code: `Get-FileHash $HOME\\Downloads\\${fileNamePlaceholder} -Algorithm SHA256`,
  },
  'verify-mac': {
    language: 'bash',
    system: 'com_arm64',
    code: `shasum -a 256 ~/Downloads/${fileNamePlaceholder}`,
  },
} as const satisfies Record<string, { language: string; system: System; code: string }>
export type SnippetName = keyof typeof snippets
/** The snippets as HTML. The build highlights them, because that takes 100 ms of CPU time. */
export type SnippetHtml = Readonly<Record<SnippetName, string>>

export const isSnippet = (value: string): value is SnippetName => Object.hasOwn(snippets, value)
