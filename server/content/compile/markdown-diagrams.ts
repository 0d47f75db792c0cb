import type { MarkdownIt } from 'markdown-it'
import type { PictureEnvironment } from './markdown-pictures'
import { diagramName } from './read-diagram'

/** Draws a diagram of a text; `html` is null where there is nothing to draw. */
export type DrawDiagram = (
  name: string,
  words: { alt: string; caption: string },
) => { html: string | null; problems: readonly string[] }

type Environment = PictureEnvironment & { diagram: DrawDiagram | undefined }

/**
 * A paragraph that is nothing but `![what it shows](parts.diagram.svg "Caption")` becomes the diagram itself. One that stands among words, or has
 * none of its own, is left to the rule for pictures and reported there.
 */
export function diagrams(md: MarkdownIt): void {
  md.core.ruler.push('diagrams', (state) => {
    const environment = state.env as Environment
    for (const [index, token] of state.tokens.entries()) {
      for (const child of token.type === 'inline' ? (token.children ?? []) : []) {
        const name = child.type === 'image' ? diagramName(String(child.attrGet('src') ?? '')) : null
        if (name === null) continue
        const report = (reason: string): void =>
          void environment.problems.push({ line: (token.map?.[0] ?? 0) + 1, reason })
        const [open, close] = [state.tokens[index - 1], state.tokens[index + 1]]
        const alt = md.renderer
          .renderInlineAsText(child.children ?? [], md.options, environment)
          .trim()
        child.type = 'text'
        child.content = alt
        if (
          token.children?.length !== 1 ||
          open?.type !== 'paragraph_open' ||
          close?.type !== 'paragraph_close'
        )
          report(`diagram ${name} stands in a paragraph of its own`)
        else if (alt === '')
          report(`diagram ${name} needs a description: ![what it shows](${name}.diagram.svg)`)
        else {
          const drawn = environment.diagram?.(name, {
            alt,
            caption: String(child.attrGet('title') ?? ''),
          }) ?? { html: null, problems: ['no diagrams here'] }
          drawn.problems.forEach(report)
          if (drawn.html === null) continue
          Object.assign(token, { type: 'html_block', content: `${drawn.html}\n`, children: [] })
          open.hidden = close.hidden = true
        }
      }
    }
  })
}
