/** A part of a text, and whether the other text lacks it. */
export type TextPart = { text: string; isChanged: boolean }
type WordDifferences = { before: TextPart[]; after: TextPart[] }

/** Tokens of both texts: the same ones, or different ones. */
type Run = { before: string[]; after: string[]; isChanged: boolean }

/** Larger comparisons would stop the browser; their texts count as changed from start to end. */
const maxCells = 4_000_000

const linesOf = (text: string): string[] => text.match(/[^\n]*\n+|[^\n]+/g) ?? []
const wordsOf = (text: string): string[] => text.match(/\s+|[\p{L}\p{M}\p{N}_]+|[^\s]/gu) ?? []

/**
 * Lengths of the longest common subsequences: of the tokens of `before` from `row` on and those of
 * `after` from `column` on, at `row * (after.length + 1) + column`.
 */
function commonLengths(before: readonly string[], after: readonly string[]): Uint16Array {
  const width = after.length + 1
  const lengths = new Uint16Array((before.length + 1) * width)
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0
  for (let row = before.length - 1; row >= 0; row -= 1)
    for (let column = after.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1))
  return lengths
}

/** Adds tokens to the last run, or to a new one. */
function append(runs: Run[], { before, after, isChanged }: Run): void {
  const last = runs.at(-1)
  if (last?.isChanged === isChanged) {
    last.before.push(...before)
    last.after.push(...after)
  } else runs.push({ before: [...before], after: [...after], isChanged })
}
function merge(runs: readonly Run[]): Run[] {
  const merged: Run[] = []
  for (const run of runs) append(merged, run)
  return merged
}

/** Splits two lists of tokens into runs that are the same and runs that differ. */
function runsOf(before: readonly string[], after: readonly string[]): Run[] {
  if (before.length * after.length > maxCells)
    return [{ before: [...before], after: [...after], isChanged: true }]
  const lengths = commonLengths(before, after)
  const lengthAt = (row: number, column: number): number =>
    lengths[row * (after.length + 1) + column] ?? 0
  const runs: Run[] = []
  let row = 0
  let column = 0
  while (row < before.length || column < after.length) {
    const [old, now] = [before.slice(row, row + 1), after.slice(column, column + 1)]
    const isSame = old.length > 0 && old[0] === now[0]
    const isRemoved =
      now.length === 0 || (old.length > 0 && lengthAt(row + 1, column) >= lengthAt(row, column + 1))
    if (isSame) append(runs, { before: old, after: now, isChanged: false })
    else if (isRemoved) append(runs, { before: old, after: [], isChanged: true })
    else append(runs, { before: [], after: now, isChanged: true })
    if (isSame || isRemoved) row += 1
    if (isSame || !isRemoved) column += 1
  }
  return runs
}

/** Spaces between two changed words are changed too, so that a changed phrase is one part. */
const joinAcrossSpaces = (runs: readonly Run[]): Run[] =>
  merge(
    runs.map((run, index) => {
      const isBetween = index > 0 && index < runs.length - 1
      const isSpace = run.before.join('').trim() === ''
      return { ...run, isChanged: run.isChanged || (isBetween && isSpace) }
    }),
  )

/** Which words differ in texts whose lines differ. */
const wordRuns = ({ before, after }: Run): Run[] =>
  joinAcrossSpaces(runsOf(wordsOf(before.join('')), wordsOf(after.join(''))))

const partsOf = (runs: readonly Run[], side: 'before' | 'after'): TextPart[] =>
  runs
    .map((run) => ({ text: run[side].join(''), isChanged: run.isChanged }))
    .filter(({ text }) => text !== '')

/**
 * Which words of two texts differ, by their longest common subsequence: first of lines, which keeps
 * it fast for long texts, then of the words of lines that differ.
 */
export function wordDifferences(before: string, after: string): WordDifferences {
  const lines = runsOf(linesOf(before), linesOf(after))
  const runs = merge(lines.flatMap((run) => (run.isChanged ? wordRuns(run) : [run])))
  return { before: partsOf(runs, 'before'), after: partsOf(runs, 'after') }
}
