import { escapeHtml } from '../../../shared/escape-html'
import { filePlace, snippets, type SnippetHtml, type SnippetName } from '../../../shared/snippets'
import { newestRelease } from '../loaders/articles'
import type { ShowContext } from '../loaders/context'

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
