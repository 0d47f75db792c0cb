import MarkdownIt, { type Token } from 'markdown-it'
import footnote from 'markdown-it-footnote'
import { glueWords } from '../../../shared/i18n/insert-no-break-spaces'
import type { Heading } from '../../../shared/page-data'
import { admonitionsAndTabs } from './markdown-blocks'
import { diagrams, type DrawDiagram } from './markdown-diagrams'
import { unspacedEmphasis } from './markdown-emphasis'
import { pictures, type PictureEnvironment, type PictureProblem } from './markdown-pictures'
import { headingAnchors, linkMarks, taskBoxes, tableCells } from './markdown-marks'
import { highlight } from './highlight'
import type { ReadPicture } from './pictures'

export type Rendered = {
  html: string
  headings: Heading[]
  text: string
  /** Pictures that cannot be shown. */ problems: readonly PictureProblem[]
}

type Environment = { headings: Heading[]; diagram: DrawDiagram | undefined } & PictureEnvironment

/**
 * Markdown to HTML: CommonMark (emphasis also beside scripts without spaces), tables, strikethrough, autolinks, task lists, footnotes, alerts (`> [!NOTE]`),
 * admonitions and tabs (`:::`), heading anchors, highlighted code, pictures, diagrams. Raw HTML is text and never markup, and
 * `javascript:`, `vbscript:`, `file:` and `data:` links are refused, so an author cannot bring a script into a page.
 */
export function createMarkdown(): (
  source: string,
  picture?: ReadPicture,
  diagram?: DrawDiagram,
) => Rendered {
  const markdown = new MarkdownIt({
    html: false,
    linkify: true,
    typographer: false,
    highlight: null,
  })
  // Only what says that it is an address becomes one: `proxy.example` in a text is no link.
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
  markdown.renderer.rules['fence'] = (tokens, index) => {
    const token = tokens[index]
    return token ? highlight(token.content, token.info.trim().split(/\s+/)[0] ?? '') : ''
  }
  // Only what is shown: anchors, contents and plain text are made from the tokens.
  markdown.renderer.rules['text'] = (tokens, index) =>
    markdown.utils.escapeHtml(glueWords(tokens[index]?.content ?? ''))
  markdown.renderer.rules['code_block'] = (tokens, index) =>
    highlight(tokens[index]?.content ?? '', '')
  markdown.renderer.rules['footnote_block_open'] = () =>
    '<section class="footnotes">\n<ol class="footnotes-list">\n'
  const footnoteMark = markdown.renderer.rules['footnote_ref']
  // Chinese and Japanese may end a line after any letter: U+2060 keeps the mark from beginning the next one.
  if (footnoteMark)
    markdown.renderer.rules['footnote_ref'] = (...place) => `\u2060${footnoteMark(...place)}`
  // The counter of a footnote is enough; brackets around it are noise to a screen reader.
  markdown.renderer.rules['footnote_caption'] = (tokens, index) =>
    String((Number(tokens[index]?.meta?.['id']) || 0) + 1)

  return (source, picture, diagram) => {
    const environment: Environment = { headings: [], problems: [], picture, diagram }
    const tokens = markdown.parse(source, environment)
    return {
      html: markdown.renderer.render(tokens, markdown.options, environment),
      headings: environment.headings,
      text: plainText(tokens),
      problems: environment.problems,
    }
  }
}

/** The words of a text without its markup, for search and excerpts. */
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
