import { limits } from '../../shared/constants'

/** Parses JSON. Returns undefined when the text is malformed or nested deeper than the limit. */
export function tryParseJson(text: string): unknown {
  if (jsonDepth(text) > limits.maxJsonDepth) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * How deep brackets nest outside strings. Checked before parsing: a text of 49,000 brackets parses,
 * and then overflows the stack of any code that walks the value.
 */
export function jsonDepth(text: string): number {
  let depth = 0
  let maxDepth = 0
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (character === '"') index = endOfString(text, index)
    else if (character === '[' || character === '{') maxDepth = Math.max(maxDepth, (depth += 1))
    else if (character === ']' || character === '}') depth -= 1
  }
  return maxDepth
}

/** Index of the closing quote of the string that opens at `start`, else the end of the text. */
function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1)
  for (; quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let firstBackslash = quote
    while (text[firstBackslash - 1] === '\\') firstBackslash -= 1
    // After an odd number of backslashes the quote is escaped and belongs to the string.
    if ((quote - firstBackslash) % 2 === 0) return quote
  }
  return text.length
}
