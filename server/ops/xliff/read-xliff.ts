import { DOMParser, onWarningStopParsing, type Element, type Node } from '@xmldom/xmldom'
import { OperatorError } from '../../errors'
import {
  xliffNamespace,
  type XliffDocument,
  type XliffFile,
  type XliffUnit,
} from './xliff-document'

const isElement = (node: Node): node is Element => node.nodeType === 1
const isText = (node: Node): boolean => node.nodeType === 3 || node.nodeType === 4

const childrenOf = (parent: Element): Node[] => Array.from(parent.childNodes)
const elementsOf = (parent: Element, ...names: string[]): Element[] =>
  childrenOf(parent)
    .filter(isElement)
    .filter(
      ({ namespaceURI, localName }) =>
        namespaceURI === xliffNamespace && names.includes(localName ?? ''),
    )

/** Elements that mark text without being part of it. */
const annotations = ['mrk', 'sm', 'em']

/** The text of a source or target: codes become their original data again. */
function textOf(node: Element, data: ReadonlyMap<string, string>): string {
  const dataOf = (element: Element, attribute: string): string => {
    const text = data.get(element.getAttribute(attribute) ?? '')
    if (text === undefined)
      throw new OperatorError(`a code <${element.nodeName}> has no original data: ${attribute}`)
    return text
  }
  return childrenOf(node)
    .map((child): string => {
      if (isText(child)) return child.nodeValue ?? ''
      if (!isElement(child)) return ''
      const name = child.localName ?? ''
      if (name === 'cp') return String.fromCharCode(parseInt(child.getAttribute('hex') ?? '', 16))
      if (name === 'ph' || name === 'sc' || name === 'ec') return dataOf(child, 'dataRef')
      if (name === 'pc')
        return dataOf(child, 'dataRefStart') + textOf(child, data) + dataOf(child, 'dataRefEnd')
      if (annotations.includes(name)) return textOf(child, data)
      throw new OperatorError(`<${child.nodeName}> is not known inside a text`)
    })
    .join('')
}

/** `data` holds text and `cp` only. */
const dataOf = (unit: Element): Map<string, string> =>
  new Map(
    elementsOf(unit, 'originalData')
      .flatMap((list) => elementsOf(list, 'data'))
      .map((entry) => [entry.getAttribute('id') ?? '', textOf(entry, new Map())]),
  )

/** A tool may have split the text into segments, and reordered their targets. */
function readUnit(unit: Element): XliffUnit {
  const data = dataOf(unit)
  const parts = elementsOf(unit, 'segment', 'ignorable').map((part, index) => {
    const [source] = elementsOf(part, 'source')
    const [target] = elementsOf(part, 'target')
    return {
      isSegment: part.localName === 'segment',
      state: part.getAttribute('state') ?? 'initial',
      source: source ? textOf(source, data) : '',
      target: target ? textOf(target, data) : null,
      order: Number(target?.getAttribute('order') ?? index + 1),
    }
  })
  const segments = parts.filter(({ isSegment }) => isSegment)
  const isComplete = segments.every(({ target }) => target !== null)
  return {
    name: unit.getAttribute('name') ?? '',
    source: parts.map(({ source }) => source).join(''),
    target: isComplete
      ? [...parts]
          .sort((one, two) => one.order - two.order)
          .map(({ source, target }) => target ?? source)
          .join('')
      : null,
    isDone: segments.every(({ state }) => state !== 'initial'),
  }
}

/** Units may be in groups. */
const unitsIn = (parent: Element): XliffUnit[] => [
  ...elementsOf(parent, 'unit').map(readUnit),
  ...elementsOf(parent, 'group').flatMap(unitsIn),
]

function parse(xml: string): Element | null {
  // Entities can expand to gigabytes. XLIFF needs none.
  if (/<!DOCTYPE/i.test(xml)) throw new OperatorError('a document type is not accepted')
  try {
    return new DOMParser({ onError: onWarningStopParsing }).parseFromString(
      // The parser warns of a replacement character that is written out, which is valid XML.
      xml.replace(/^\ufeff/, '').replaceAll('\ufffd', '&#65533;'),
      'application/xml',
    ).documentElement
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    throw new OperatorError(`the file is not well-formed XML: ${reason}`)
  }
}

/** The files of a document, one for each `original`: tools that merge documents repeat them. */
function filesIn(root: Element): XliffFile[] {
  const files = new Map<string, XliffFile>()
  for (const element of elementsOf(root, 'file')) {
    const original = element.getAttribute('original') ?? ''
    const units = [...(files.get(original)?.units ?? []), ...unitsIn(element)]
    files.set(original, { original, units })
  }
  return [...files.values()]
}

/** Reads a document of XLIFF 2.0 or 2.1. Throws an `OperatorError` that says what is wrong. */
export function readXliff(xml: string): XliffDocument {
  const root = parse(xml)
  if (root?.localName !== 'xliff' || root.namespaceURI !== xliffNamespace)
    throw new OperatorError('the file is not XLIFF 2: <xliff> of its namespace is missing')
  const version = root.getAttribute('version') ?? ''
  if (!['2.0', '2.1'].includes(version))
    throw new OperatorError(`XLIFF ${version} is not accepted: 2.0 or 2.1`)
  return {
    sourceLanguage: root.getAttribute('srcLang') ?? '',
    targetLanguage: root.getAttribute('trgLang') ?? '',
    files: filesIn(root),
  }
}
