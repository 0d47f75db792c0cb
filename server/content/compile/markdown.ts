import MarkdownIt, { type MarkdownIt as Markdown, type Token } from 'markdown-it'
import footnote from 'markdown-it-footnote'
import { insertNoBreakSpaces } from '../../../shared/i18n/insert-no-break-spaces'
import type { Heading } from '../../../shared/page-data'
import { admonitionsAndTabs } from './markdown-blocks'
import { diagrams, type DrawDiagram } from './markdown-diagrams'
import { pictures, type PictureEnvironment, type PictureProblem } from './markdown-pictures'
import {
  headingAnchors,
  linkMarks,
  tableCells,
  taskBoxes,
  unspacedEmphasis,
} from './markdown-rules'
import { highlightBlock } from './highlight'
import type { ReadPicture } from './read-picture'

type RenderedMarkdown = {
  html: string
  headings: Heading[]
  text: string
  /** Pictures and diagrams that cannot be shown. */
  problems: readonly PictureProblem[]
}

type Environment = PictureEnvironment & {
  headings: Heading[]
  drawDiagram: DrawDiagram | undefined
}

/**
 * Markdown to HTML: CommonMark (with emphasis beside scripts without spaces), tables,
 * strikethrough, autolinks, task lists, footnotes, alerts (`> [!NOTE]`), admonitions and tabs
 * (`:::`), heading anchors, highlighted code, pictures, diagrams. Raw HTML is shown as text, and
 * `javascript:`, `vbscript:`, `file:` and `data:` links are refused, so an article cannot add a
 * script to a page.
 */
export function createMarkdown(): (
  source: string,
  readPicture?: ReadPicture,
  drawDiagram?: DrawDiagram,
) => RenderedMarkdown {
  const markdown = new MarkdownIt({
    html: false,
    linkify: true,
    typographer: false,
    highlight: null,
  })
  // Only addresses with a scheme become links; `proxy.example` in a text does not.
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false })
  markdown
    .use(unspacedEmphasis)
    .use(footnote)
    .use(admonitionsAndTabs)
    .use(headingAnchors)
    .use(taskBoxes)
    .use(tableCells)
    .use(linkMarks)
    .use(diagrams)
    .use(pictures)
  setRendererRules(markdown)
  return (source, readPicture, drawDiagram) => {
    const environment: Environment = { headings: [], problems: [], readPicture, drawDiagram }
    const tokens = markdown.parse(source, environment)
    return {
      html: markdown.renderer.render(tokens, markdown.options, environment),
      headings: environment.headings,
      text: plainText(tokens),
      problems: environment.problems,
    }
  }
}

function setRendererRules(markdown: Markdown): void {
  const { rules } = markdown.renderer
  rules['fence'] = (tokens, index) => {
    const token = tokens[index]
    return token ? highlightBlock(token.content, token.info.trim().split(/\s+/, 1)[0] ?? '') : ''
  }
  rules['code_block'] = (tokens, index) => highlightBlock(tokens[index]?.content ?? '', '')
  // No-break spaces are inserted while rendering, so anchors, table of contents and plain text,
  // which are made from the tokens, do not contain them.
  rules['text'] = (tokens, index) =>
    markdown.utils.escapeHtml(insertNoBreakSpaces(tokens[index]?.content ?? ''))
  rules['footnote_block_open'] = () => '<section class="footnotes">\n<ol class="footnotes-list">\n'
  const footnoteReference = rules['footnote_ref']
  // Chinese and Japanese may break a line after any letter; U+2060 keeps the mark on its line.
  if (footnoteReference) rules['footnote_ref'] = (...args) => `\u2060${footnoteReference(...args)}`
  // Only the number: a screen reader would read out brackets around it.
  rules['footnote_caption'] = (tokens, index) =>
    String((Number(tokens[index]?.meta?.['id']) || 0) + 1)
}

/** The text without markup, for search and excerpts. */
function plainText(tokens: readonly Token[]): string {
  const parts: string[] = []
  for (const token of tokens) {
    if (token.type === 'fence' || token.type === 'code_block') parts.push(token.content)
    for (const child of token.children ?? []) {
      if (child.type === 'text' || child.type === 'code_inline') parts.push(child.content)
      else if (child.type === 'softbreak' || child.type === 'hardbreak') parts.push(' ')
    }
    if (token.block && token.nesting <= 0) parts.push('\n')
  }
  return parts
    .join('')
    .replace(/\n{2,}/g, '\n')
    .trim()
}
