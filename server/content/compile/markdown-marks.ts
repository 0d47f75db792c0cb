import type { MarkdownIt } from 'markdown-it'
import type { Heading } from '../../../shared/page-data'

/** An anchor from a heading's words: letters and digits of every script, the rest is hyphens. */
export const anchorOf = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^-+|-+$/g, '') || 'section'

/** Ids and a link to itself for each heading, and the list for the table of contents. `## Title {#id}` names the id. */
export function headingAnchors(md: MarkdownIt): void {
  md.core.ruler.push('heading_anchors', (state) => {
    const used = new Set<string>()
    const headings = (state.env['headings'] as Heading[] | undefined) ?? []
    for (const [index, token] of state.tokens.entries()) {
      const inline = state.tokens[index + 1]
      if (token.type !== 'heading_open' || inline?.type !== 'inline' || !inline.children) continue
      const last = inline.children.at(-1)
      const named = last?.type === 'text' ? /\s*\{#([a-z0-9-]+)\}$/.exec(last.content) : null
      if (named && last) last.content = last.content.slice(0, named.index)
      const text = inline.children
        .filter((child) => child.type === 'text' || child.type === 'code_inline')
        .map((child) => child.content)
        .join('')
      const base = named?.[1] ?? anchorOf(text)
      let id = base
      for (let count = 2; used.has(id); count += 1) id = `${base}-${count}`
      used.add(id)
      token.attrSet('id', id)
      headings.push({ depth: Number(token.tag.slice(1)), id, text })
      const anchor = new state.Token('html_inline', '', 0)
      anchor.content = ` <a class="heading-anchor" href="#${id}" aria-label="{{anchor}}">#</a>`
      inline.children.push(anchor)
    }
  })
}

/** `- [ ] open` and `- [x] done`: a sign before the text, because a disabled check box has no label to read out. */
export function taskBoxes(md: MarkdownIt): void {
  md.core.ruler.after('inline', 'task_boxes', (state) => {
    for (const [index, token] of state.tokens.entries()) {
      const first = token.type === 'inline' ? token.children?.[0] : undefined
      const box = first?.type === 'text' ? /^\[([ xX])\]\s+/.exec(first.content) : null
      const item = state.tokens[index - 2]
      if (!first || !box || item?.type !== 'list_item_open') continue
      first.content = first.content.slice(box[0].length)
      item.attrJoin('class', 'task-item')
      const sign = new state.Token('html_inline', '', 0)
      sign.content =
        box[1] === ' ' ? '<span class="task-box">☐</span> ' : '<span class="task-box">☑</span> '
      token.children?.unshift(sign)
    }
  })
}

/** Tables scroll inside a box of their own; alignment is a class, because the policy forbids style attributes. */
export function tableCells(md: MarkdownIt): void {
  const { rules } = md.renderer
  rules['table_open'] = () => '<div class="table-scroll"><table>\n'
  rules['table_close'] = () => '</table></div>\n'
  const cell: NonNullable<(typeof rules)[string]> = (tokens, index, options, _env, self) => {
    const token = tokens[index]
    if (!token) return ''
    const align = /text-align:(left|center|right)/.exec(String(token.attrGet('style') ?? ''))?.[1]
    token.attrs = (token.attrs ?? []).filter(([name]) => name !== 'style')
    if (align) token.attrJoin('class', `align-${align}`)
    // The corner over row names heads nothing: an empty heading would be read out as one.
    const close = tokens[index + 2]
    if (
      token.tag === 'th' &&
      tokens[index + 1]?.content.trim() === '' &&
      close?.type === 'th_close'
    )
      token.tag = close.tag = 'td'
    if (token.tag === 'th') token.attrSet('scope', 'col')
    return self.renderToken(tokens, index, options)
  }
  rules['th_open'] = cell
  rules['td_open'] = cell
}

/**
 * Addresses of this site are marked `site:` and get their language when a page is rendered: the same compiled article
 * is shown in its own language and, while it is not translated, in others. Other origins get `rel="noopener"`.
 */
export function linkMarks(md: MarkdownIt): void {
  md.core.ruler.push('link_marks', (state) => {
    for (const token of state.tokens) {
      for (const child of token.children ?? []) {
        if (child.type !== 'link_open') continue
        const target = String(child.attrGet('href') ?? '')
        if (/^\/(?![/\\])/.test(target)) child.attrSet('href', `site:${target}`)
        else if (/^https?:/i.test(target)) child.attrSet('rel', 'noopener')
      }
    }
  })
}
