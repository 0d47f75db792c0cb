import { codesOf, isPair, tokenize, type Token } from './inline-codes'
import {
  xliffNamespace,
  xliffVersion,
  type XliffDocument,
  type XliffFile,
  type XliffUnit,
} from './xliff-document'

/** Characters that XML 1.0 cannot contain, lone surrogates included. */
const invalid =
  /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g
const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // Written literally, a parser makes line feeds of them (XML 1.0 of the first, 1.1 of all).
  '\r': '&#13;',
  '\u0085': '&#133;',
  '\u2028': '&#8232;',
  '\u2029': '&#8233;',
  // Parsers take a replacement character for damage.
  '\ufffd': '&#65533;',
}
const escapeXml = (text: string): string =>
  text.replace(/[&<>"\r\u0085\u2028\u2029\ufffd]/g, (character) => escapes[character] ?? character)
const hexOf = (character: string): string =>
  character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')

/** Text of an element. `cp` stands for a character that XML cannot contain. */
const contentXml = (text: string): string =>
  escapeXml(text).replace(invalid, (character) => `<cp hex="${hexOf(character)}"/>`)
/** An attribute holds names and paths; line feeds and tabs are kept by references. */
const attributeXml = (text: string): string =>
  escapeXml(text)
    .replace(/[\n\t]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(invalid, '&#65533;')

/** Numbers the codes of a unit: a code of the target gets the id of the same code of the source. */
function createIds(source: readonly Token[]) {
  const free = codesOf(source).map((code, index) => ({ code, id: index + 1 }))
  let last = free.length
  return (code: string): number => {
    const index = free.findIndex((one) => one.code === code)
    const [found] = index < 0 ? [] : free.splice(index, 1)
    return found?.id ?? (last += 1)
  }
}

/** The original data of a unit, by their text. */
type Data = Map<string, string>
function dataId(data: Data, text: string): string {
  const id = data.get(text) ?? `d${data.size + 1}`
  data.set(text, id)
  return id
}

const tokensXml = (
  tokens: readonly Token[],
  data: Data,
  nextId: (code: string) => number,
): string =>
  tokens
    .map((token): string => {
      if (typeof token === 'string') return contentXml(token)
      if (!isPair(token))
        return `<ph id="${nextId(token.code)}" canCopy="no" canDelete="no" dataRef="${dataId(data, token.code)}"/>`
      const id = nextId(`${token.open}…${token.close}`)
      const references = `dataRefStart="${dataId(data, token.open)}" dataRefEnd="${dataId(data, token.close)}"`
      const inner = tokensXml(token.inner, data, nextId)
      return `<pc id="${id}" canCopy="no" canDelete="no" ${references}>${inner}</pc>`
    })
    .join('')

function unitXml(unit: XliffUnit, number: number): string {
  const data: Data = new Map()
  const tokens = tokenize(unit.source, unit.isMarkdown)
  const source = tokensXml(tokens, data, createIds(tokens))
  const target =
    unit.target === null
      ? ''
      : `<target>${tokensXml(tokenize(unit.target, unit.isMarkdown), data, createIds(tokens))}</target>`
  const notes =
    unit.note === undefined ? '' : `<notes><note>${contentXml(unit.note)}</note></notes>`
  const entries = [...data].map(([text, id]) => `<data id="${id}">${contentXml(text)}</data>`)
  const originalData = data.size === 0 ? '' : `<originalData>${entries.join('')}</originalData>`
  const state = unit.isDone ? 'translated' : 'initial'
  return `<unit id="u${number}" name="${attributeXml(unit.name)}">${notes}${originalData}<segment state="${state}"><source>${source}</source>${target}</segment></unit>\n`
}

const fileXml = ({ original, units }: XliffFile, number: number): string =>
  `<file id="f${number}" original="${attributeXml(original)}" xml:space="preserve">\n${units
    .map((unit, index) => unitXml(unit, index + 1))
    .join('')}</file>\n`

/** Writes a document. A file without units is left out, because the standard requires one. */
export const writeXliff = ({ sourceLanguage, targetLanguage, files }: XliffDocument): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<xliff xmlns="${xliffNamespace}" version="${xliffVersion}" srcLang="${sourceLanguage}" trgLang="${targetLanguage}">\n${files
    .filter(({ units }) => units.length > 0)
    .map((file, index) => fileXml(file, index + 1))
    .join('')}</xliff>\n`
