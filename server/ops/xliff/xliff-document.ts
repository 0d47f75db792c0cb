/**
 * The parts of XLIFF 2.1 that this site writes and reads
 * (http://docs.oasis-open.org/xliff/xliff-core/v2.1/xliff-core-v2.1.html).
 */
export const xliffNamespace = 'urn:oasis:names:tc:xliff:document:2.0'
export const xliffVersion = '2.1'

/** A text and its translation. */
export type XliffUnit = {
  /** Key of an interface text, or part of an article. Unique in its file. */
  name: string
  source: string
  /** Null where there is none. */
  target: string | null
  /** `initial`: to be translated or checked. */
  isDone: boolean
  /** For the translator. */
  note?: string
  /** Whether the marks of Markdown are protected. */
  isMarkdown?: boolean
}

/** Whether a translator has something to do. */
export const isOpen = ({ target, isDone }: XliffUnit): boolean => target === null || !isDone

export type XliffFile = {
  /** Path of the translation: `locales/th/home.json`, `content/blog/x/th.md`. */
  original: string
  units: XliffUnit[]
}
export type XliffDocument = {
  /** BCP 47 tags. */
  sourceLanguage: string
  targetLanguage: string
  files: XliffFile[]
}
