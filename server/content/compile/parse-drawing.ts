/** An element of a drawing; it contains only what the allowlist below contains. */
export type Shape = {
  name: string
  attributes: ReadonlyMap<string, string>
  children: Shape[]
  /** Text of the file itself, such as code and digits. */
  text: string
  line: number
}
export type Drawing = { width: number; height: number; shapes: readonly Shape[] }
type DrawingProblem = { line: number; reason: string }

/** Classes of shapes and texts; `client/styles/diagram.css` sets their colors in both themes. */
const shapeClasses = [
  'frame',
  'box',
  'lead',
  'soft',
  'apart',
  'line',
  'line-lead',
  'head',
  'head-lead',
  'dot',
] as const
export const textStyles = {
  title: { size: 16, bold: true, mono: false },
  label: { size: 15, bold: false, mono: false },
  note: { size: 14, bold: false, mono: false },
  code: { size: 13, bold: false, mono: true },
  step: { size: 13, bold: true, mono: false },
} as const
type TextStyle = keyof typeof textStyles
export const isTextStyle = (name: string | undefined): name is TextStyle =>
  name !== undefined && Object.hasOwn(textStyles, name)

const numberPattern = /^-?\d{1,4}(?:\.\d{1,3})?$/
const numbersPattern = /^[-\d\s.,]{1,500}$/
const classPattern = new RegExp(`^(?:${[...shapeClasses, ...Object.keys(textStyles)].join('|')})$`)
const attributes = (names: string, form: RegExp): Array<[string, RegExp]> =>
  names.split(' ').map((name) => [name, form])
const commonAttributes = [
  ...attributes('class', classPattern),
  ...attributes('transform', /^(?:translate|rotate|scale)\([-\d\s.,]{1,60}\)$/),
]
const withCommon = (...own: Array<[string, RegExp]>): ReadonlyMap<string, RegExp> =>
  new Map([...commonAttributes, ...own])

/**
 * Allowlist of elements, their attributes, and the form of each value. There are no ids,
 * references, styles, links, pictures, scripts, event handlers or foreign markup: a drawing becomes
 * part of the page, where any of them would have the page's rights.
 */
const allowedElements: ReadonlyMap<string, ReadonlyMap<string, RegExp>> = new Map([
  [
    'svg',
    new Map([
      ...attributes('xmlns', /^http:\/\/www\.w3\.org\/2000\/svg$/),
      ...attributes('viewBox', /^0 0 [1-9]\d{1,3} [1-9]\d{1,3}$/),
    ]),
  ],
  ['g', withCommon()],
  ['rect', withCommon(...attributes('x y width height rx ry', numberPattern))],
  ['circle', withCommon(...attributes('cx cy r', numberPattern))],
  ['line', withCommon(...attributes('x1 y1 x2 y2', numberPattern))],
  ['polyline', withCommon(...attributes('points', numbersPattern))],
  ['polygon', withCommon(...attributes('points', numbersPattern))],
  ['path', withCommon(...attributes('d', /^[MLHVCSQTAZmlhvcsqtaz\d\s.,-]{1,2000}$/))],
  [
    'text',
    withCommon(
      ...attributes('x y data-width', numberPattern),
      ...attributes('data-lines', /^[1-6]$/),
      ...attributes('data-text', /^[a-z][a-z0-9-]{0,39}$/),
      ...attributes('text-anchor', /^(?:start|middle|end)$/),
    ),
  ],
])

const maxFileLength = 64 * 1024
const maxDepth = 8
const entities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])
const entityPattern = /&([^;\s]*);?/g
const tokenPattern =
  /<!--[\s\S]*?-->|<\?xml\s[^>]*\?>|<\/([\w:-]+)\s*>|<([\w:-]+)((?:\s+[\w:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/gy
const attributePattern = /\s+([\w:-]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/gy

/** Text with its entities decoded; null where it has others than the five of XML. */
function decode(text: string): string | null {
  for (const [, name = ''] of text.matchAll(entityPattern)) if (!entities.has(name)) return null
  return text.replace(entityPattern, (_, name: string) => entities.get(name) ?? '')
}

/** Why an element is refused at its place, or null. */
function refusalOf(
  name: string,
  values: ReadonlyMap<string, string>,
  parent: Shape,
  isRoot: boolean,
): string | null {
  const allowed = allowedElements.get(name)
  if (!allowed) return `<${name}> is not allowed in a diagram`
  for (const [key, value] of values) {
    const form = allowed.get(key)
    if (!form) return `<${name}> must not have ${key}`
    if (!form.test(value))
      return `<${name} ${key}="${value.slice(0, 40)}">: the value is not allowed`
  }
  if ((name === 'svg') !== isRoot) return 'a diagram is one <svg>'
  return parent.name === 'text' ? 'a text contains no elements' : null
}

const parseAttributes = (source: string): Map<string, string> =>
  new Map(
    [...source.matchAll(attributePattern)].map(([, key = '', doubleQuoted, singleQuoted]) => [
      key,
      doubleQuoted ?? singleQuoted ?? '',
    ]),
  )

/**
 * Parses an SVG. Everything that is not on the allowlist is refused with its line, and a page gets
 * markup that is made from the parsed values, never the file's own: filters that remove unsafe
 * parts from markup can be tricked.
 */
export function parseDrawing(source: string): Drawing | DrawingProblem {
  if (source.length > maxFileLength) return { line: 1, reason: 'is larger than 64 KB' }
  const root: Shape = { name: '', attributes: new Map(), children: [], text: '', line: 1 }
  const openShapes = [root]
  let end = 0
  let line = 1
  for (const token of source.matchAll(tokenPattern)) {
    const reason = addToken(token, line, openShapes)
    if (reason) return { line, reason }
    end += token[0].length
    line += token[0].split('\n').length - 1
  }
  if (end !== source.length)
    return { line, reason: 'is not valid SVG of the accepted form (docs/authoring.md)' }
  const [svg, second] = root.children
  if (!svg || second || openShapes.length > 1) return { line: 1, reason: 'a diagram is one <svg>' }
  const [, , width, height] = (svg.attributes.get('viewBox') ?? '').split(' ').map(Number)
  return width && height
    ? { width, height, shapes: svg.children }
    : { line: svg.line, reason: 'needs a viewBox of four integers that begins at 0 0' }
}

/** Adds a tag or text to the innermost open shape. Returns why it is refused, or null. */
function addToken(token: RegExpExecArray, line: number, openShapes: Shape[]): string | null {
  const [, closingName, name, attributeSource = '', selfClosing, text] = token
  const parent = openShapes.at(-1)
  if (!parent) return null
  if (closingName !== undefined) {
    if (openShapes.length === 1 || parent.name !== closingName)
      return `</${closingName}> closes nothing`
    openShapes.pop()
  } else if (name !== undefined) {
    const values = parseAttributes(attributeSource)
    const refusal = refusalOf(name, values, parent, openShapes.length === 1)
    if (refusal) return refusal
    const shape: Shape = { name, attributes: values, children: [], text: '', line }
    parent.children.push(shape)
    if (selfClosing === '') openShapes.push(shape)
    if (openShapes.length > maxDepth) return 'is nested too deeply'
  } else if (text !== undefined && text.trim() !== '') {
    const decoded = decode(text)
    if (decoded === null) return 'has an unknown entity'
    if (parent.name !== 'text') return 'has text outside <text>'
    parent.text += decoded
  }
  return null
}
