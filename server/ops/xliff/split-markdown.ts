/** A block of Markdown, and the blank lines after it. */
export type Block = { text: string; gap: string }

/** The marks of a fenced code block. */
const fencePattern = /^ {0,3}(`{3,}|~{3,})/

/**
 * Splits Markdown at blank lines outside of fenced code. The texts and gaps, joined, are the
 * source. A first block without text holds the blank lines at the start.
 */
export function splitMarkdown(source: string): Block[] {
  const blocks: Block[] = []
  let current: Block = { text: '', gap: '' }
  let fence = ''
  for (const line of source.split(/(?<=\n)/)) {
    const mark = fencePattern.exec(line)?.[1] ?? ''
    const isInFence = fence !== ''
    if (mark !== '' && !isInFence) fence = mark
    else if (isInFence && mark.startsWith(fence) && line.trim() === mark) fence = ''
    if (!isInFence && line.trim() === '') {
      current.gap += line
      continue
    }
    if (current.gap !== '') {
      blocks.push(current)
      current = { text: '', gap: '' }
    }
    current.text += line
  }
  if (current.text !== '' || current.gap !== '') blocks.push(current)
  return blocks
}

export const joinBlocks = (blocks: readonly Block[]): string =>
  blocks.map(({ text, gap }) => text + gap).join('')

/** The kind of a block: texts with equal kinds in the same order are translated block by block. */
function kindOf({ text }: Block): string {
  const [, mark = ''] =
    /^\s{0,20}(#{1,6} |[-*+] |\d{1,9}[.)] |>|\||:::\w{0,20}|==|`{3}|~{3}|!\[)/.exec(text) ?? []
  return mark.replace(/\d+/, '1').replace('*', '-').replace('+', '-').trim()
}

/** Code is the same in all languages unless a translator has changed it. */
export const isCode = (block: Block): boolean => ['```', '~~~'].includes(kindOf(block))

export const haveSameKinds = (one: readonly Block[], two: readonly Block[]): boolean =>
  one.length === two.length &&
  one.every((block, index) => {
    const other = two[index]
    return other !== undefined && kindOf(block) === kindOf(other)
  })
