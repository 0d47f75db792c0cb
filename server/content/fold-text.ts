/**
 * Folding removes differences of spelling that carry no meaning (case, accents, width). Texts and
 * queries are folded alike, so that a query matches every spelling.
 */

/**
 * Letters that Unicode does not decompose: Turkish ı, Vietnamese đ, Polish ł, German ß; and one of
 * the two Hindi signs for the same nasal.
 */
const replacements: Readonly<Record<string, string>> = {
  ı: 'i',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ø: 'o',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ґ: 'г',
  'ँ': 'ं',
}
/**
 * Accents of Latin and Cyrillic, the Hindi nukta, joiners and the soft hyphen. The signs of Thai,
 * Hindi and Japanese stay, because they are letters there.
 */
const removedMarks = /[\u0300-\u036f\u093c\u200b-\u200d\u2060\u00ad\ufeff]/g
const cyrillic = /\p{Script=Cyrillic}/u

/**
 * Folded characters. It is read once per character of every text, so it is a plain Map that stops
 * growing: 20,000 covers the characters of any corpus.
 */
const foldedCharacters = new Map<string, string>()
const maxFoldedCharacters = 20_000

function foldCharacter(character: string): string {
  const cached = foldedCharacters.get(character)
  if (cached !== undefined) return cached
  const plain = character
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(removedMarks, '')
    .normalize('NFC')
  const folded = Array.from(plain, (letter) => replacements[letter] ?? letter).join('')
  if (foldedCharacters.size < maxFoldedCharacters) foldedCharacters.set(character, folded)
  return folded
}

/**
 * Folded text, and for each of its UTF-16 units the offset in the original text. `offsets` is null
 * where every unit is at its original offset.
 */
type Folded = { text: string; offsets: readonly number[] | null }

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text)

/**
 * Lower case, without accents, in one width: `Électronique` becomes `electronique`, `ＡＰＩ` `api`,
 * `İ` and `ı` `i`. An apostrophe inside a Cyrillic word is part of the word and removed
 * (`з’єднання`); elsewhere it separates two words (`l’empreinte`).
 */
export function foldWithOffsets(text: string): Folded {
  if (isAscii(text)) return { text: text.toLowerCase(), offsets: null }
  const offsets: number[] = []
  let folded = ''
  let offset = 0
  let previous = ''
  for (const character of text) {
    const isInnerApostrophe =
      (character === '’' || character === "'" || character === 'ʼ') &&
      cyrillic.test(previous) &&
      cyrillic.test(text.charAt(offset + 1))
    const part = isInnerApostrophe ? '' : foldCharacter(character)
    folded += part
    for (let unit = 0; unit < part.length; unit += 1) offsets.push(offset)
    offset += character.length
    previous = character
  }
  return { text: folded, offsets }
}

/** Folded text without offsets, for the index and for queries. Half-width kana join their marks. */
export const fold = (text: string): string =>
  foldWithOffsets(text.normalize('NFC')).text.normalize('NFC')
