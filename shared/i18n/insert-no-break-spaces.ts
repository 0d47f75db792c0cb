import { holdThai } from './keep-thai-words-together'

/** Leaning words of three letters; those of one and two need no list. Russian, then Ukrainian. */
const leaning = [
  'без',
  'для',
  'или',
  'как',
  'над',
  'обо',
  'под',
  'при',
  'про',
  'что',
  'чем',
  'из-за',
  'из-под',
  'або',
  'від',
  'під',
  'чим',
  'що',
  'як',
]
/** Particles lean on the word before them: «может ли», «тот же». */
const particle = '(?:бы|же|ли|би|ж|б)(?![\\u0400-\\u04ff-])'
const cyrillic = /[\u0400-\u04ff]/

// A long word and three letters more would not fit into a narrow column, and be broken anywhere: «или автоматизируй-те».
// One match takes a whole row of them («и не в сети»), because the space before a word belongs to the match before it.
const leansForward = new RegExp(
  `(^|[\\s("«„“—–/])((?:(?!${particle})(?:(?:${leaning.join('|')})(?! [\\u0400-\\u04ff]{13})|[\\u0400-\\u04ff]{1,2}) )+)`,
  'giu',
)
// «14 языков» is read as one; a dash may end a line and never begins one.
const leansBack = new RegExp(
  `([^\\s(«„“]) (?=${particle}|[—–] )|(\\d) (?=[\\u0400-\\u04ff])`,
  'giu',
)

/**
 * A Russian or Ukrainian text with no-break spaces where its typography allows no line to end: after prepositions and
 * conjunctions of a few letters, before particles and dashes, between a number and its noun; a Thai text with its words
 * held together (`holdThai`). Every other text comes back as it is, so a fallback text needs no language beside it. For what is shown only: titles in the head, feeds, search
 * and anchors keep plain spaces. (Мильчин, «Справочник издателя и автора»: висячие предлоги.)
 */
export function glueWords(text: string): string {
  if (!cyrillic.test(text)) return holdThai(text)
  return text
    .replace(
      leansForward,
      (_all, start: string, words: string) => start + words.replaceAll(' ', '\u00a0'),
    )
    .replace(leansBack, '$1$2\u00a0')
}
