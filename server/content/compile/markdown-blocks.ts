import type { MarkdownIt } from 'markdown-it'

type BlockRule = Parameters<MarkdownIt['block']['ruler']['before']>[2]
type StateBlock = Parameters<BlockRule>[0]

const alertKinds = ['note', 'tip', 'important', 'warning', 'caution'] as const
const openingLine = /^:::\s*(tabs|note|tip|important|warning|caution)(?:\s+(\S.*)?)?$/s
const tabLine = /^==\s+(\S.*)$/s
const fenceMark = /^(`{3,}|~{3,})/

const lineAt = (state: StateBlock, line: number): string =>
  state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line])

/**
 * Line of the `:::` that closes a block, or `end` where there is none. Fenced code and nested
 * blocks are skipped; `visit` is called with every other line.
 */
function findClosingLine(
  state: StateBlock,
  start: number,
  end: number,
  visit: (line: number, text: string, depth: number) => void,
): number {
  let depth = 0
  let openFence: string | null = null
  for (let line = start; line < end; line += 1) {
    const text = lineAt(state, line).trim()
    const mark = fenceMark.exec(text)?.[1]
    if (openFence) {
      if (mark?.startsWith(openFence)) openFence = null
    } else if (mark) openFence = mark
    else if (text === ':::') {
      if (depth === 0) return line
      depth -= 1
    } else if (openingLine.test(text)) depth += 1
    else visit(line, text, depth)
  }
  return end
}

/** Adds the tokens of some lines, which are the content of a block. */
function tokenize(state: StateBlock, from: number, to: number): void {
  const saved = { lineMax: state.lineMax, parentType: state.parentType, line: state.line }
  state.lineMax = to
  state.parentType = 'blockquote'
  state.md.block.tokenize(state, from, to)
  Object.assign(state, saved)
}

function pushHtml(state: StateBlock, content: string): void {
  const token = state.push('html_block', '', 0)
  token.content = content
}

function pushAdmonition(
  state: StateBlock,
  kind: string,
  title: string,
  from: number,
  to: number,
): void {
  pushHtml(state, admonitionOpen(state.md, kind, title))
  tokenize(state, from, to)
  pushHtml(state, '</div>\n')
}

/**
 * Without a title it contains a key, which is replaced in the page's language when a page is
 * rendered: compiled HTML has no interface texts.
 */
const admonitionOpen = (md: MarkdownIt, kind: string, title: string): string =>
  `<div class="admonition admonition-${kind}"><p class="admonition-title">${title ? md.utils.escapeHtml(title) : `{{admonition.${kind}}}`}</p>\n`

/**
 * Tabs that work without scripts: radio buttons with labels. Their ids contain the line, so that
 * they are unique in an article.
 */
function pushTabs(
  state: StateBlock,
  tabs: ReadonlyArray<{ label: string; from: number; to: number }>,
  group: string,
): void {
  pushHtml(state, '<div class="tabs">\n')
  for (const [index, tab] of tabs.entries()) {
    const id = `${group}-${index + 1}`
    const label = state.md.utils.escapeHtml(tab.label)
    pushHtml(
      state,
      `<input type="radio" class="tabs-input" name="${group}" id="${id}"${index === 0 ? ' checked' : ''}><label class="tabs-label" for="${id}">${label}</label>\n<div class="tabs-panel">\n`,
    )
    tokenize(state, tab.from, tab.to)
    pushHtml(state, '</div>\n')
  }
  pushHtml(state, '</div>\n')
}

const containerRule: BlockRule = (state, start, end, silent) => {
  const found = openingLine.exec(lineAt(state, start).trim())
  if (!found) return false
  if (silent) return true
  const [, kind = 'note', title = ''] = found
  const starts: Array<{ label: string; line: number }> = []
  const close = findClosingLine(state, start + 1, end, (line, text, depth) => {
    const label = depth === 0 ? tabLine.exec(text)?.[1] : undefined
    if (label) starts.push({ label, line })
  })
  if (kind === 'tabs') {
    pushTabs(
      state,
      starts.map(({ label, line }, index) => ({
        label,
        from: line + 1,
        to: starts[index + 1]?.line ?? close,
      })),
      `tabs-${start + 1}`,
    )
  } else pushAdmonition(state, kind, title, start + 1, close)
  state.line = Math.min(close + 1, end)
  return true
}

/** GitHub's alerts: a block quote whose first line is `[!NOTE]`. */
function alerts(md: MarkdownIt): void {
  md.core.ruler.after('block', 'alerts', (state) => {
    const openQuotes: Array<string | null> = []
    for (const [index, token] of state.tokens.entries()) {
      if (token.type === 'blockquote_open') {
        const inline = state.tokens[index + 2]
        const kind =
          inline?.type === 'inline'
            ? /^\[!(\w+)\][^\S\n]*(?:\n|$)/.exec(inline.content)?.[1]?.toLowerCase()
            : undefined
        const known = kind !== undefined && alertKinds.some((alertKind) => alertKind === kind)
        openQuotes.push(known ? kind : null)
        if (!known || !inline) continue
        inline.content = inline.content.slice(inline.content.indexOf(']') + 1).trimStart()
        Object.assign(token, {
          type: 'html_block',
          tag: '',
          nesting: 0,
          content: admonitionOpen(md, kind, ''),
        })
      } else if (token.type === 'blockquote_close' && openQuotes.pop()) {
        Object.assign(token, { type: 'html_block', tag: '', nesting: 0, content: '</div>\n' })
      }
    }
  })
}

/** `:::note Title`, `:::tabs` with `== Label` lines, and GitHub's alerts. */
export function admonitionsAndTabs(md: MarkdownIt): void {
  md.block.ruler.before('fence', 'containers', containerRule, {
    alt: ['paragraph', 'blockquote', 'list'],
  })
  alerts(md)
}
