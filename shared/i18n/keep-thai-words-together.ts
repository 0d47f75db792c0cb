/**
 * Words that the line breaker's dictionary lacks, so that lines end inside them («พร็ / อกซี», and
 * even «ผ่า / นพร็อกซี»): loan words, then compounds. Found with `Intl.Segmenter` in the site's
 * Thai texts.
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
  'โทเค็น',
  'เอเจนซี',
  'มาร์เก็ตเพลส',
  'คอมมูนิตี',
  'เช็กซัม',
  'ฟันเนล',
  'เครือข่าย',
  'เชื่อมต่อ',
  'ตัวตน',
  'หน้าจอ',
  'ตรวจสอบ',
  'กู้คืน',
  'ลายนิ้วมือ',
  'แบ่งปัน',
  'ส่งมอบ',
  'คัดลอก',
  'ผิดพลาด',
  'ขีดจำกัด',
  'จัดระเบียบ',
]
const thai = /[\u0e01-\u0e5b]/
const unknownWord = new RegExp(
  `([\\u0e01-\\u0e5b]?)(${words.join('|')})(?=([\\u0e01-\\u0e30\\u0e32\\u0e33\\u0e40-\\u0e45])?)`,
  'g',
)
/** A position between letters, never between a letter and its marks. */
const betweenLetters = /(.)(?=[\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e45])/g
/** Prefixes («person who», «not», «each», «many») that a line must not end with. */
const joinedToNextWord = /(ผู้|ไม่|แต่ละ|หลาย)(?=[\u0e01-\u0e2e\u0e40-\u0e44])/g

const wordJoiner = '\u2060'
const zeroWidthSpace = '\u200b'

/**
 * Makes lines of a Thai text end between words: inserts word joiners inside words that the line
 * breaker does not know, and zero-width spaces around them, so that it also reads the neighboring
 * words correctly. Other texts are returned unchanged. Search ignores both characters
 * (`server/content/fold-text.ts`).
 */
export function keepThaiWordsTogether(text: string): string {
  if (!thai.test(text)) return text
  return text
    .replace(
      unknownWord,
      (_all, before: string, word: string, after?: string) =>
        before +
        (before ? zeroWidthSpace : '') +
        word.replace(betweenLetters, `$1${wordJoiner}`) +
        (after ? zeroWidthSpace : ''),
    )
    .replace(joinedToNextWord, `$1${wordJoiner}`)
}
