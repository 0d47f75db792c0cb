/**
 * Words that the line breaker's dictionary does not know and ends a line inside («พร็ / อกซี», and even «ผ่า / นพร็อกซี»):
 * loan words first, then compounds that are read as one. Found by `Intl.Segmenter` over our own Thai texts.
 */
const words = [
  'พร็อกซี',
  'แพ็กเกจ',
  'แดชบอร์ด',
  'คริปโต',
  'ทวิตเตอร์',
  'โปรโตคอล',
  'แอร์ดรอป',
  'อินบ็อกซ์',
  'สต็อก',
  'แพลนเนอร์',
  'ออเดอร์',
  'ทันเนล',
  'ทราฟฟิก',
  'แอฟฟิลิเอต',
  'ครีเอเตอร์',
  'โปรเจกต์',
  'แคปต์ชา',
  'อินเทอร์เน็ต',
  'เครือข่าย',
  'เชื่อมต่อ',
  'ตัวตน',
  'หน้าจอ',
]
const thai = /[\u0e01-\u0e5b]/
const known = new RegExp(
  `([\\u0e01-\\u0e5b]?)(${words.join('|')})(?=([\\u0e01-\\u0e30\\u0e32\\u0e33\\u0e40-\\u0e45])?)`,
  'g',
)
/** Between letters, never between a letter and its marks. */
const inside = /(.)(?=[\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e45])/g
/** «ผู้» makes a person of the word behind it, «ไม่» denies it, «แต่ละ» and «หลาย» count it: none of them ends a line. */
const leansForward = /(ผู้|ไม่|แต่ละ|หลาย)(?=[\u0e01-\u0e2e\u0e40-\u0e44])/g

const [noBreak, mayBreak] = ['\u2060', '\u200b']

/**
 * A Thai text whose lines end between words: word joiners inside those the dictionary does not know, and a place to break
 * at either side of them, so that their neighbours are read rightly too. Every other text comes back as it is. What it
 * adds has no width, and search drops it (`server/content/fold-text.ts`).
 */
export function holdThai(text: string): string {
  if (!thai.test(text)) return text
  return text
    .replace(
      known,
      (_all, before: string, word: string, after?: string) =>
        before +
        (before ? mayBreak : '') +
        word.replace(inside, `$1${noBreak}`) +
        (after ? mayBreak : ''),
    )
    .replace(leansForward, `$1${noBreak}`)
}
