import type { LocaleCode } from '../../shared/i18n/locales'
import { chineseWords } from './chinese-words'

/** A number or pronoun and its measure word: 三个, 兩款, 第一次, 每家. */
const measured =
  '第?[一二两兩三四五六七八九十几幾每某]{1,2}[个個家种種款类類张張项項台臺笔筆组組周週步條条頁页位次]'
const knownWord = new RegExp(`(${chineseWords.join('|')}|${measured})`)

/** Chinese characters in a row. A row in which the author has set a word joiner is not changed. */
const hanRun = /[\p{sc=Han}\u2060]{2,}/gu
const wordJoiner = '\u2060'
/** Longer words may be broken; kept together, they would leave half of a short line empty. */
const maxCharacters = 4

let segmenter: Intl.Segmenter | undefined

const joinCharacters = (word: string): string =>
  word.length <= maxCharacters ? word.split('').join(wordJoiner) : word

function joinRun(run: string): string {
  if (run.includes(wordJoiner)) return run
  segmenter ??= new Intl.Segmenter('zh', { granularity: 'word' })
  const dictionary = segmenter
  return run
    .split(knownWord)
    .map((part, index) =>
      // `split` returns the known words at odd positions.
      index % 2 === 1
        ? joinCharacters(part)
        : Array.from(dictionary.segment(part), ({ segment }) => joinCharacters(segment)).join(''),
    )
    .join('')
}

/** Joins the characters of each Chinese word of 2 to 4 characters, so that no line ends in it. */
export const keepChineseWordsTogether = (text: string): string => text.replace(hanRun, joinRun)

/** A tag of compiled HTML, in which `<` and `>` are escaped everywhere else. */
const tag = /<(\/?)(h[1-4])?[^<>]*>/g

/** Joins the words of headings in compiled HTML. */
function keepWordsOfHeadings(html: string): string {
  let result = ''
  let end = 0
  let isInHeading = false
  for (const { 0: whole, 1: slash, 2: heading, index } of html.matchAll(tag)) {
    const text = html.slice(end, index)
    result += (isInHeading ? keepChineseWordsTogether(text) : text) + whole
    if (heading) isInHeading = slash === ''
    end = index + whole.length
  }
  return result + html.slice(end)
}

/** Fields that pages show as headings, on cards and in lists of links. */
const titleFields: ReadonlySet<string> = new Set(['title', 'heading', 'question'])
/** A table of contents is `headings: [{ text, … }]`. */
const contentsFields: ReadonlySet<string> = new Set(['text'])
/** Metadata, and the texts of drawings, which have one line each. */
const skippedFields: ReadonlySet<string> = new Set(['seo', 'window', 'picture', 'pictures'])

function mapTitles(value: unknown, field: string, titles = titleFields): unknown {
  if (typeof value === 'string') {
    if (titles.has(field)) return keepChineseWordsTogether(value)
    return field === 'html' ? keepWordsOfHeadings(value) : value
  }
  if (typeof value !== 'object' || value === null || skippedFields.has(field)) return value
  if (Array.isArray(value)) {
    const titlesOfItems = field === 'headings' ? contentsFields : titles
    return value.map((item) => mapTitles(item, '', titlesOfItems))
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapTitles(item, key, titles)]),
  )
}

const isChinese = (locale: LocaleCode): boolean => locale === 'zh' || locale === 'tc'

/** Data or texts of a page, with the words of its Chinese titles kept together. */
export const withJoinedTitles = <T>(data: T, locale: LocaleCode): T =>
  // The cast: only the letters of strings change.
  isChinese(locale) ? (mapTitles(data, '') as T) : data
