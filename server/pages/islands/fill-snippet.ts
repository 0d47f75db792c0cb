import { escapeHtml } from '../../../shared/escape-html'
import {
  fileNamePlaceholder,
  snippets,
  type SnippetHtml,
  type SnippetName,
} from '../../../shared/snippets'
import type { ContentContext } from '../loaders/context'
import { newestRelease } from '../loaders/releases'

/** A command with the file name of the newest release for its system. */
export function fillSnippet(
  context: ContentContext,
  html: SnippetHtml,
  name: SnippetName,
): { html: string } {
  const files = newestRelease(context)?.front.files ?? []
  const url = files.find(({ system }) => system === snippets[name].system)?.url
  const fileName = url?.split('/').at(-1) ?? '…'
  return { html: html[name].replaceAll(fileNamePlaceholder, () => escapeHtml(fileName)) }
}
