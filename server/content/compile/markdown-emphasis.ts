import type { MarkdownIt } from 'markdown-it'

/** Scripts written without spaces, and Hangul, whose particles are attached: what stands beside them is no sign of a word's edge. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}ー々〆]/u
const space = /^[\s]?$/u

/**
 * Emphasis beside scripts without spaces. CommonMark tells by spaces and punctuation where emphasis ends, so `**先停：**然后` and `**「人」**が`
 * would show their asterisks: the closing marks follow punctuation and a letter follows them. Beside such a letter, marks that touch
 * a word may open and close. `_` stays as it is: it does not work inside words in any script.
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
      // Surrogate pairs are taken whole: rare Han lie beyond the basic plane.
      const before = /[\s\S]?$/u.exec(this.src.slice(Math.max(0, start - 2), start))?.[0] ?? ''
      const after =
        /^[\s\S]?/u.exec(this.src.slice(start + found.length, start + found.length + 2))?.[0] ?? ''
      return {
        ...found,
        can_open: found.can_open || (unspaced.test(before) && !space.test(after)),
        can_close: found.can_close || (unspaced.test(after) && !space.test(before)),
      }
    }
  }
}
