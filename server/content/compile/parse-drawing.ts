/** An element of a drawing, with nothing in it that is not on the lists below. */
export type Shape = {
  name: string
  attributes: ReadonlyMap<string, string>
  children: Shape[]
  /** Text that stands in the file itself: code, digits. */ text: string
  line: number
}
export type Drawing = { width: number; height: number; shapes: readonly Shape[] }
export type DrawingProblem = { line: number; reason: string }

/** What a shape or a text may be called; `client/styles/diagram.css` gives each its colours in both themes. */
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
export type TextStyle = keyof typeof textStyles
export const isTextStyle = (name: string | undefined): name is TextStyle =>
  name !== undefined && Object.hasOwn(textStyles, name)

const number = /^-?\d{1,4}(?:\.\d{1,3})?$/
const numbers = /^[-\d\s.,]{1,500}$/
const paint = new RegExp(`^(?:${[...shapeClasses, ...Object.keys(textStyles)].join('|')})$`)
const of = (names: string, form: RegExp): Array<[string, RegExp]> =>
  names.split(' ').map((name) => [name, form])
const common = [
  ...of('class', paint),
  ...of('transform', /^(?:translate|rotate|scale)\([-\d\s.,]{1,60}\)$/),
]
const shape = (...own: Array<[string, RegExp]>): ReadonlyMap<string, RegExp> =>
  new Map([...common, ...own])

/**
 * Elements and attributes that a drawing is made of, each with the form of its value. No ids, references, styles, links, pictures, scripts,
 * event handlers or foreign markup: a drawing stands in the page itself, where any of them would act with the page's rights.
 */
const allowed: ReadonlyMap<string, ReadonlyMap<string, RegExp>> = new Map([
  [
    'svg',
    new Map([
      ...of('xmlns', /^http:\/\/www\.w3\.org\/2000\/svg$/),
      ...of('viewBox', /^0 0 [1-9]\d{1,3} [1-9]\d{1,3}$/),
    ]),
  ],
  ['g', shape()],
  ['rect', shape(...of('x y width height rx ry', number))],
  ['circle', shape(...of('cx cy r', number))],
  ['line', shape(...of('x1 y1 x2 y2', number))],
  ['polyline', shape(...of('points', numbers))],
  ['polygon', shape(...of('points', numbers))],
  ['path', shape(...of('d', /^[MLHVCSQTAZmlhvcsqtaz\d\s.,-]{1,2000}$/))],
  [
    'text',
    shape(
      ...of('x y data-width', number),
      ...of('data-lines', /^[1-6]$/),
      ...of('data-text', /^[a-z][a-z0-9-]{0,39}$/),
      ...of('text-anchor', /^(?:start|middle|end)$/),
    ),
  ],
])

/** Largest file (letters) and deepest nesting that is read. */
const most = { letters: 64 * 1024, depth: 8 }
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}
const piece =
  /<!--[\s\S]*?-->|<\?xml\s[^>]*\?>|<\/([\w:-]+)\s*>|<([\w:-]+)((?:\s+[\w:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/gy
const attribute = /([\w:-]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g

/** Text without entities; null where there are others than XML's own. */
function decode(text: string): string | null {
  let known = true
  const decoded = text.replace(
    /&([^;\s]*);?/g,
    (_, name: string) => entities[name] ?? ((known = false), ''),
  )
  return known ? decoded : null
}

/** Why an element may not stand in a drawing, or null. */
function refusal(name: string, attributes: ReadonlyMap<string, string>): string | null {
  const known = allowed.get(name)
  if (!known) return `<${name}> may not stand in a diagram`
  for (const [key, value] of attributes) {
    const form = known.get(key)
    if (!form) return `<${name}> may not bear ${key}`
    if (!form.test(value))
      return `<${name} ${key}="${value.slice(0, 40)}">: not of the form that is taken there`
  }
  return null
}

/**
 * Reads an SVG by closed lists: whatever is not on them is refused with its line, and nothing of the file's own letters reaches a page. (Taking
 * bad things out of good markup is how such filters are deceived.)
 */
export function parseDrawing(source: string): Drawing | DrawingProblem {
  if (source.length > most.letters) return { line: 1, reason: 'is larger than 64 KB' }
  const root: Shape = { name: '', attributes: new Map(), children: [], text: '', line: 1 }
  const open = [root]
  let end = 0
  const lineAt = (offset: number): number => source.slice(0, offset).split('\n').length
  for (const found of source.matchAll(piece)) {
    const [whole, closed, opened, bare = '', selfClosing, text] = found
    const problem = (reason: string): DrawingProblem => ({ line: lineAt(found.index), reason })
    const parent = open.at(-1) ?? root
    end = found.index + whole.length
    if (closed !== undefined) {
      if (open.length === 1 || parent.name !== closed) return problem(`</${closed}> closes nothing`)
      open.pop()
    } else if (opened !== undefined) {
      const attributes = new Map(
        [...bare.matchAll(attribute)].map(([, key = '', double, single]) => [
          key,
          double ?? single ?? '',
        ]),
      )
      const reason =
        refusal(opened, attributes) ??
        ((opened === 'svg') !== (open.length === 1)
          ? 'a diagram is one <svg>'
          : parent.name === 'text'
            ? 'a text holds no elements'
            : null)
      if (reason) return problem(reason)
      const made: Shape = {
        name: opened,
        attributes,
        children: [],
        text: '',
        line: lineAt(found.index),
      }
      parent.children.push(made)
      if (selfClosing === '') open.push(made)
      if (open.length > most.depth) return problem('is nested too deeply')
    } else if (text !== undefined && text.trim() !== '') {
      const decoded = decode(text)
      if (parent.name !== 'text' || decoded === null)
        return problem(decoded === null ? 'knows no such entity' : 'text stands in <text> only')
      parent.text += decoded
    }
  }
  const [svg, second] = root.children
  if (end !== source.length)
    return {
      line: lineAt(end),
      reason: 'is no SVG of the form that is taken (see docs/authoring.md)',
    }
  if (!svg || second || open.length > 1) return { line: 1, reason: 'a diagram is one <svg>' }
  const [, , width, height] = (svg.attributes.get('viewBox') ?? '').split(' ').map(Number)
  return width && height
    ? { width, height, shapes: svg.children }
    : { line: svg.line, reason: 'needs a viewBox of four integers that begins at 0 0' }
}
