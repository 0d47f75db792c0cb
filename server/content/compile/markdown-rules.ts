import type { MarkdownIt } from 'markdown-it'
import type { Heading } from '../../../shared/page-data'

/** The anchor of a heading: letters and digits of every script, hyphens for everything else. */
const anchorOf = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^-|-$/g, '') || 'section'

/**
 * Gives each heading an id and a link to itself, and collects them for the table of contents.
 * `## Title {#id}` sets the id.
 */
export function headingAnchors(md: MarkdownIt): void {
  md.core.ruler.push('heading_anchors', (state) => {
    const used = new Set<string>()
    // The cast: `createMarkdown` passes its environment, which is untyped here.
    const headings = (state.env['headings'] as Heading[] | undefined) ?? []
    for (const [index, token] of state.tokens.entries()) {
      const inline = state.tokens[index + 1]
      if (token.type !== 'heading_open' || inline?.type !== 'inline' || !inline.children) continue
      const last = inline.children.at(-1)
      const customId = last?.type === 'text' ? /\{#([a-z0-9-]+)\}$/.exec(last.content) : null
      if (customId && last) last.content = last.content.slice(0, customId.index).trimEnd()
      const text = inline.children
        .filter((child) => child.type === 'text' || child.type === 'code_inline')
        .map((child) => child.content)
        .join('')
      const base = customId?.[1] ?? anchorOf(text)
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

/**
 * `- [ ] open` and `- [x] done` become a symbol before the text: a disabled check box would have no
 * label for screen readers.
 */
export function taskBoxes(md: MarkdownIt): void {
  md.core.ruler.after('inline', 'task_boxes', (state) => {
    for (const [index, token] of state.tokens.entries()) {
      const first = token.type === 'inline' ? token.children?.[0] : undefined
      const box = first?.type === 'text' ? /^\[([ xX])\]\s+/.exec(first.content) : null
      const item = state.tokens[index - 2]
      if (!first || !box || item?.type !== 'list_item_open') continue
      first.content = first.content.slice(box[0].length)
      item.attrJoin('class', 'task-item')
      const symbol = new state.Token('html_inline', '', 0)
      symbol.content =
        box[1] === ' ' ? '<span class="task-box">☐</span> ' : '<span class="task-box">☑</span> '
      token.children?.unshift(symbol)
    }
  })
}

/**
 * Wraps tables in a box that scrolls, and makes alignment a class, because the content security
 * policy forbids style attributes.
 */
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
    // An empty header cell (the corner above row names) becomes a plain cell: screen readers would
    // announce it as a header.
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
 * Marks links to this site with `site:`. They get their language when a page is rendered, because a
 * compiled article is also shown in languages that it is not translated into. Links to other
 * origins get `rel="noopener"`.
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

/**
 * Scripts written without spaces, and Hangul, where particles follow a word directly. Beside such a
 * letter the absence of a space does not mean that a word continues.
 */
const unspacedLetter = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}ー々〆]/u
const spaceOrNothing = /^[\s]?$/u

/**
 * Emphasis beside scripts without spaces. CommonMark finds the end of emphasis by spaces and
 * punctuation, so `**先停：**然后` and `**「人」**が` would show their asterisks: the closing marks
 * follow punctuation and precede a letter. Beside a letter of such a script, marks that touch a
 * word may open and close. `_` does not work inside words of any script, so it is left out.
 */
export function unspacedEmphasis(md: MarkdownIt): void {
  const { State } = md.inline
  md.inline.State = class extends State {
    override scanDelims(
      start: number,
      canSplitWord: boolean,
    ): ReturnType<InstanceType<typeof State>['scanDelims']> {
      const found = super.scanDelims(start, canSplitWord)
      if (!canSplitWord) return found
      // Two units on each side, because rare Han are surrogate pairs.
      const end = start + found.length
      const before = /[\s\S]?$/u.exec(this.src.slice(Math.max(0, start - 2), start))?.[0] ?? ''
      const after = /^[\s\S]?/u.exec(this.src.slice(end, end + 2))?.[0] ?? ''
      const opens = unspacedLetter.test(before) && !spaceOrNothing.test(after)
      const closes = unspacedLetter.test(after) && !spaceOrNothing.test(before)
      return {
        ...found,
        can_open: found.can_open || opens,
        can_close: found.can_close || closes,
      }
    }
  }
}
