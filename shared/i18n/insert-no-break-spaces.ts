import { keepThaiWordsTogether } from './keep-thai-words-together'

/**
 * Russian, then Ukrainian words of three letters and more that a line must not end with. Words of
 * one and two letters need no list.
 */
const shortWords = [
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
/** The end of a number, also of one that is set into a text of the interface. */
const number = '\\d|\\{\\{(?:amount|count|max|min|minutes|months|percent|price|version)\\}\\}'
/** Particles stay with the word before them: «может ли», «тот же». */
const particle = '(?:бы|же|ли|би|ж|б)(?![\\u0400-\\u04ff-])'
const cyrillic = /[\u0400-\u04ff]/

// Three letters tied to a word of 13 letters or more would not fit into a narrow column, and would
// be broken anywhere: «или автоматизируй-те». One match takes a sequence of short words («и не в
// сети»), because the space before a word belongs to the match before it.
const joinedToNextWord = new RegExp(
  `(^|[\\s("«„“—–/])((?:(?!${particle})(?:(?:${shortWords.join('|')})(?! [\\u0400-\\u04ff]{13})|[\\u0400-\\u04ff]{1,2}) ){1,8})`,
  'giu',
)
// A number stays with its noun («14 языков»); a line never begins with a dash.
const joinedToPreviousWord = new RegExp(
  `([^\\s(«„“]) (?=${particle}|[—–] )|(${number}) (?=[\\u0400-\\u04ff])`,
  'giu',
)

/** «15 分钟», «15 นาที», «15 मिनट»; Japanese has no space («15分»). */
const numberBeforeUnit = new RegExp(
  `(${number}) (?=[分小天个個款步]|นาที|ขั้นตอน|मिनट|चरण|घंट|분|단계|시간)`,
  'g',
)
const numberBesideUnit = new RegExp(`(${number})(?=[分小天个個款步つかヶ])`, 'g')
/** Endings of the Turkish question particle: «mısınız», «miydi». */
const particleEndings =
  'yım|yim|yum|yüm|yız|yiz|yuz|yüz|sın|sin|sun|sün|sınız|siniz|sunuz|sünüz|ydı|ydi|ydu|ydü|dır|dir|dur'
/** Latin letters. `\p{L}` has all scripts, and takes a browser 2 ms to compile. */
const letter = '[A-Za-z\u00c0-\u024f]'
/**
 * The Turkish question particle, as in «gerekli mi?». The form «mi» counts only before a question
 * mark, because Spanish has the word «mi», which never ends a question.
 */
const turkishParticle = new RegExp(
  `(${letter}) (?=(?:mı|mu|mü|m[ıiuü](?:${particleEndings})|mi(?=\\?))(?!${letter}))`,
  'g',
)
/** Letters by which a text is known to be Turkish: no other language of the site has them. */
const turkish = /[ğışĞİŞ]/
/** In a Turkish text, a space before «mi» and between a number and its noun («15 dakikada»). */
const turkishMiOrUnit = new RegExp(
  `(${letter}) (?=mi(?!${letter}))|(${number}) (?=[a-zâçğîıöşûü])`,
  'g',
)

const wordJoiner = '\u2060'

/**
 * Inserts no-break spaces where typography forbids the end of a line: in Russian and Ukrainian
 * after short prepositions and conjunctions, before particles and dashes (Мильчин, «Справочник
 * издателя и автора»: висячие предлоги); in Turkish before the question particle; between a number
 * and its noun. Thai words are kept together. Other texts are returned unchanged, so the caller
 * need not know the language of a fallback text. Only for text on the page: titles in the head,
 * feeds, search and anchors keep plain spaces.
 */
export function insertNoBreakSpaces(text: string): string {
  if (cyrillic.test(text))
    return text
      .replace(
        joinedToNextWord,
        (_all, start: string, words: string) => start + words.replaceAll(' ', '\u00a0'),
      )
      .replace(joinedToPreviousWord, '$1$2\u00a0')
  const joined = text
    .replace(turkishParticle, '$1\u00a0')
    .replace(numberBeforeUnit, '$1\u00a0')
    .replace(numberBesideUnit, `$1${wordJoiner}`)
  return keepThaiWordsTogether(
    turkish.test(joined) ? joined.replace(turkishMiOrUnit, '$1$2\u00a0') : joined,
  )
}
