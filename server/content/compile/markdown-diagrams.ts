import type { MarkdownIt, Token } from 'markdown-it'
import type { PictureEnvironment } from './markdown-pictures'
import { diagramName } from './read-diagram'

/** Draws a diagram of an article; `html` is null where it cannot be drawn. */
export type DrawDiagram = (
  name: string,
  description: { alt: string; caption: string },
) => { html: string | null; problems: readonly string[] }

type Environment = PictureEnvironment & { drawDiagram: DrawDiagram | undefined }

/**
 * A paragraph that consists of `![description](parts.diagram.svg "Caption")` only becomes the
 * diagram. Where it is among other text or has no description, the description remains as text and
 * the diagram is reported.
 */
export function diagrams(md: MarkdownIt): void {
  md.core.ruler.push('diagrams', (state) => {
    // The cast: `createMarkdown` passes its environment, which is untyped here.
    const environment = state.env as Environment
    for (const [index, token] of state.tokens.entries()) {
      if (token.type !== 'inline') continue
      for (const child of token.children ?? []) {
        const name = child.type === 'image' ? diagramName(String(child.attrGet('src') ?? '')) : null
        if (name === null) continue
        const alt = md.renderer
          .renderInlineAsText(child.children ?? [], md.options, environment)
          .trim()
        const caption = String(child.attrGet('title') ?? '')
        child.type = 'text'
        child.content = alt
        const paragraph = paragraphAround(state.tokens, index)
        const problems = paragraph
          ? drawInParagraph(paragraph, name, { alt, caption }, environment.drawDiagram)
          : [`diagram ${name} must be a separate paragraph`]
        const line = (token.map?.[0] ?? 0) + 1
        environment.problems.push(...problems.map((reason) => ({ line, reason })))
      }
    }
  })
}

type Paragraph = { open: Token; inline: Token; close: Token }

/** The paragraph that has one inline token as its whole content, or null. */
function paragraphAround(tokens: readonly Token[], index: number): Paragraph | null {
  const [open, inline, close] = [tokens[index - 1], tokens[index], tokens[index + 1]]
  return inline?.children?.length === 1 &&
    open?.type === 'paragraph_open' &&
    close?.type === 'paragraph_close'
    ? { open, inline, close }
    : null
}

/** Replaces the paragraph by the diagram. Returns what is wrong with it. */
function drawInParagraph(
  { open, inline, close }: Paragraph,
  name: string,
  description: { alt: string; caption: string },
  drawDiagram: DrawDiagram | undefined,
): readonly string[] {
  if (description.alt === '')
    return [`diagram ${name} needs a description: ![what it shows](${name}.diagram.svg)`]
  if (!drawDiagram) return ['no diagrams here']
  const { html, problems } = drawDiagram(name, description)
  if (html !== null) {
    Object.assign(inline, { type: 'html_block', content: `${html}\n`, children: [] })
    open.hidden = close.hidden = true
  }
  return problems
}
