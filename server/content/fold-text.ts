/** What differs in writing and not in meaning is folded away, alike in texts and in queries, so that one finds the other. */

/** Letters that Unicode does not take apart: Turkish ı, Vietnamese đ, Polish ł, German ß; Hindi's two signs for one nasal. */
const single: Readonly<Record<string, string>> = {
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
/** Accents of Latin and Cyrillic, the Hindi nukta, joiners and the soft hyphen. Signs of Thai, Hindi and Japanese stay: they are letters there. */
const dropped = /[\u0300-\u036f\u093c\u200b-\u200d\u2060\u00ad\ufeff]/g
const cyrillic = /\p{Script=Cyrillic}/u

const known = new Map<string, string>()
/** Every character that a corpus holds, once; a flood of rare ones must not grow it without end. */
const knownLimit = 20_000

function foldCharacter(character: string): string {
  const before = known.get(character)
  if (before !== undefined) return before
  const plain = character
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(dropped, '')
    .normalize('NFC')
  const folded = Array.from(plain, (letter) => single[letter] ?? letter).join('')
  if (known.size < knownLimit) known.set(character, folded)
  return folded
}

/** Folded text, and where each of its UTF-16 units comes from; null where nothing has moved. */
export type Folded = { text: string; offsets: readonly number[] | null }

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text)

/**
 * Lower case, without accents, in one width: `Électronique` is `electronique`, `ＡＰＩ` is `api`, `İ` and `ı` are `i`. An apostrophe
 * inside a Cyrillic word belongs to the word (`з’єднання`), elsewhere it parts two (`l’empreinte`).
 */
export function foldWithOffsets(text: string): Folded {
  if (isAscii(text)) return { text: text.toLowerCase(), offsets: null }
  const offsets: number[] = []
  let folded = ''
  let offset = 0
  let previous = ''
  for (const character of text) {
    const silent =
      (character === '’' || character === "'" || character === 'ʼ') &&
      cyrillic.test(previous) &&
      cyrillic.test(text.charAt(offset + 1))
    const part = silent ? '' : foldCharacter(character)
    folded += part
    for (let unit = 0; unit < part.length; unit += 1) offsets.push(offset)
    offset += character.length
    previous = character
  }
  return { text: folded, offsets }
}

/** Folded text alone, for the index and for queries; half-width kana are put together with their marks. */
export const fold = (text: string): string =>
  foldWithOffsets(text.normalize('NFC')).text.normalize('NFC')
