import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { compileArticle } from '../../../server/content/compile/compile-article'
import { diagramsAsText, drawDiagram } from '../../../server/content/compile/draw-diagram'
import { parseDrawing, type Drawing } from '../../../server/content/compile/parse-drawing'
import { createDiagramReader } from '../../../server/content/compile/read-diagram'
import { wrapText } from '../../../server/content/compile/wrap-text'
import { temporaryFolder } from '../../../testing/release-with-tests'

const svg = (inside: string, attributes = 'viewBox="0 0 200 100"'): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inside}</svg>`
const text = (key: string, more = ''): string =>
  `<text x="10" y="20" class="label" data-text="${key}"${more}/>`
function parsed(inside: string): Drawing {
  const drawing = parseDrawing(svg(inside))
  if ('reason' in drawing) throw new Error(drawing.reason)
  return drawing
}
const words = { alt: 'What it shows', caption: '', locale: 'en' } as const

describe('a drawing of a diagram', () => {
  it.each([
    ['a script', '<script>alert(1)</script>'],
    ['foreign markup', '<foreignObject><b/></foreignObject>'],
    ['a picture', '<image href="https://a.example/a.png"/>'],
    ['a reference', '<use href="#a"/>'],
    ['a link', '<a href="https://a.example"><rect/></a>'],
    ['an animation', '<animate attributeName="x" to="1"/>'],
    ['a style sheet', '<style>*{fill:url(https://a.example)}</style>'],
    ['an event handler', '<rect onload="alert(1)"/>'],
    ['an event handler in capitals', '<rect ONCLICK="alert(1)"/>'],
    ['a style', '<rect style="fill:red"/>'],
    ['an id', '<rect id="header"/>'],
    ['a fill from elsewhere', '<rect fill="url(https://a.example/a.svg#x)"/>'],
    ['a class of the page', '<rect class="prose-button"/>'],
    ['a second class', '<rect class="box prose"/>'],
    ['a namespace', '<x:script xmlns:x="http://www.w3.org/2000/svg"/>'],
    ['a CDATA section', '<![CDATA[<script>alert(1)</script>]]>'],
    ['a processing instruction', '<?xml-stylesheet href="https://a.example"?>'],
    ['a value that breaks out', '<rect x="1&quot; onload=&quot;alert(1)"/>'],
    ['a bare value', '<rect x=1 onload=alert(1)/>'],
    ['an open element', '<g>'],
    ['a stray end', '</g>'],
    ['text outside <text>', '<g>words</g>'],
    ['an element inside text', '<text x="1" y="1"><tspan>a</tspan></text>'],
    ['an unknown entity', '<text x="1" y="1">&nope;</text>'],
    ['a numeric entity', '<text x="1" y="1">&#60;script&#62;</text>'],
    ['a data address', '<path d="data:text/html,x"/>'],
    ['a name of a prototype', '<constructor/>'],
    ['deep nesting', '<g>'.repeat(20) + '</g>'.repeat(20)],
  ])('with %s is refused', (_name, inside) => {
    expect(parseDrawing(svg(inside))).toMatchObject({
      reason: expect.any(String),
      line: expect.any(Number),
    })
  })

  it.each([
    ['no SVG', 'words'],
    ['nothing', ''],
    ['two drawings', svg('') + svg('')],
    ['one inside another', svg(svg(''))],
    ['a document type', `<!DOCTYPE svg [<!ENTITY a "b">]>${svg('')}`],
    ['no view box', svg('', '')],
    ['a view box that begins elsewhere', svg('', 'viewBox="5 5 10 10"')],
    ['a view box with fractions', svg('', 'viewBox="0 0 10.5 10"')],
    ['too many letters', svg(' '.repeat(70_000))],
  ])('that is %s is refused', (_name, source) => {
    expect(parseDrawing(source)).toMatchObject({ reason: expect.any(String) })
  })

  it('names the line of a refused element', () => {
    expect(parseDrawing(svg('\n<rect/>\n<rect onclick="x"/>'))).toEqual({
      line: 3,
      reason: '<rect> must not have onclick',
    })
  })

  it('finishes quickly on hostile input', () => {
    const before = process.cpuUsage()
    for (const source of [
      '<'.repeat(60_000),
      '<svg '.repeat(10_000),
      `<svg ${'a="b" '.repeat(9000)}`,
      svg(`<path d="${'M'.repeat(50_000)}"/>`),
      `<!--${'-'.repeat(60_000)}`,
    ])
      expect(parseDrawing(source)).toHaveProperty('reason')
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(3000)
  })
})

describe('a diagram', () => {
  it('shows the texts of its language, escaped, and has a description', () => {
    const { html, problems } = drawDiagram(
      {
        wide: parsed(`<rect class="box" x="1" y="1" width="9" height="9"/>${text('a')}`),
        narrow: null,
      },
      { ...words, alt: 'A "quoted" <b>', texts: { a: '<script>&"' } },
    )
    expect(problems).toEqual([])
    expect(html).toContain('<tspan x="10" dy="0.35em">&lt;script&gt;&amp;&quot;</tspan>')
    expect(html).toContain('role="img" aria-label="A &quot;quoted&quot; &lt;b&gt;"')
    expect(html).toContain('<rect class="box" x="1" y="1" width="9" height="9"/>')
    expect(html).not.toMatch(/<script|data-|style=/)
  })
  it('has a narrow drawing beside the wide one, and a caption', () => {
    const { html } = drawDiagram(
      { wide: parsed(text('a')), narrow: parsed(text('a')) },
      { ...words, caption: 'Parts & wholes', texts: { a: 'word' } },
    )
    expect(html.match(/<svg class="diagram-(?:wide|narrow)"/g)).toHaveLength(2)
    expect(html).toContain('<figcaption>Parts &amp; wholes</figcaption>')
  })
  it('reports texts that are missing, unused or too long', () => {
    const problemsOf = (inside: string, texts: Record<string, string>) =>
      drawDiagram({ wide: parsed(inside), narrow: null }, { ...words, texts }).problems
    expect(problemsOf(text('a'), {})).toEqual(['lacks the text "a"'])
    expect(problemsOf(text('constructor'), {})).toEqual(['lacks the text "constructor"'])
    expect(problemsOf('<rect/>', { b: 'word' })).toEqual(['has no place for the text "b"'])
    expect(problemsOf(text('a', ' data-width="60"'), { a: 'a text of many words' })).toEqual([
      '"a" has no room for "a text of many words": shorten it',
    ])
    expect(
      problemsOf(text('a', ' data-width="60" data-lines="4"'), { a: 'a text of many words' }),
    ).toEqual([])
  })
  it('is replaced by its description where the style sheet is missing, as in feeds', () => {
    const { html } = drawDiagram(
      { wide: parsed(text('a')), narrow: parsed(text('a')) },
      { ...words, alt: 'A & B', texts: { a: 'word' } },
    )
    expect(diagramsAsText(`<p>before</p>${html}<p>between</p>${html}`)).toBe(
      '<p>before</p><p><em>A &amp; B</em></p><p>between</p><p><em>A &amp; B</em></p>',
    )
  })
  it('breaks lines evenly, where the language allows it', () => {
    expect(wrapText('one two three four', 6, 'en')).toEqual(['one two', 'three four'])
    expect(wrapText('短', 6, 'zh')).toEqual(['短'])
    for (const [locale, long] of [
      ['zh', '另一个配置文件有自己的三部分，互不共用。'],
      ['jp', '別のプロファイルには別の三つがあり、何も共有しません。'],
      ['th', 'อีกโปรไฟล์หนึ่งมีสามส่วนของตัวเอง ไม่มีอะไรใช้ร่วมกัน'],
    ] as const) {
      const lines = wrapText(long, 9, locale)
      expect(lines.length).toBeGreaterThan(1)
      expect(lines.join('').replaceAll(' ', '')).toBe(long.replaceAll(' ', ''))
      for (const line of lines) expect(line).not.toMatch(/^[，。、]/)
    }
  })
})

describe('a diagram in an article', () => {
  const content = temporaryFolder('diagrams')
  const folder = join(content, 'docs', 'a')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'parts.diagram.svg'), svg(text('a')))
  writeFileSync(join(folder, 'bad.diagram.svg'), svg('\n<rect onclick="x"/>'))
  writeFileSync(join(content, '..', 'outside.diagram.svg'), svg(text('a')))
  symlinkSync(join(content, '..', 'outside.diagram.svg'), join(folder, 'linked.diagram.svg'))
  afterAll(() => {
    rmSync(content, { recursive: true, force: true })
    rmSync(join(content, '..', 'outside.diagram.svg'), { force: true })
  })
  const key = { collection: 'docs', id: 'a', locale: 'en' } as const
  function compile(body: string, diagrams = 'diagrams:\n  parts:\n    a: Word of {{brand}}\n') {
    const made = compileArticle(
      'content/docs/a/en.md',
      key,
      `---\ntitle: T\ndescription: D\nsection: start\norder: 1\n${diagrams}---\n\n${body}`,
      new Map([['brand', 'Brand']]),
      () => ({ reason: 'no pictures here' }),
      createDiagramReader(content)(key),
    )
    if (Array.isArray(made)) throw new Error(made.map(({ reason }) => reason).join())
    return {
      html: made.html,
      problems: made.problems.map(({ line, reason }) => `${line} ${reason}`),
    }
  }

  it('is drawn with the texts of the front matter', () => {
    const { html, problems } = compile('![What it shows](parts.diagram.svg "A caption")\n\nAfter.')
    expect(problems).toEqual([])
    expect(html).toMatch(
      /^<figure class="diagram"><svg class="diagram-only"[^]*Word of Brand[^]*<figcaption>A caption<\/figcaption><\/figure>\n+<p>After\.<\/p>/,
    )
  })
  it.each([
    [
      'a drawing that is not there',
      '![What it shows](nothing.diagram.svg)',
      /^11 docs\/a\/nothing\.diagram\.svg is not there$/,
    ],
    [
      'a drawing that is refused',
      '![What it shows](bad.diagram.svg)',
      /^11 docs\/a\/bad\.diagram\.svg:2 <rect> must not have onclick$/,
    ],
    [
      'a drawing that is a link',
      '![What it shows](linked.diagram.svg)',
      /is a symbolic link: not read$/,
    ],
    [
      'a diagram among words',
      'Words ![What it shows](parts.diagram.svg) words.',
      /must be a separate paragraph$/,
    ],
  ])('with %s leaves its description and is reported with its line', (_name, body, reason) => {
    const { html, problems } = compile(body)
    expect(html).toContain('What it shows')
    expect(html).not.toContain('<svg')
    expect(problems).toEqual([expect.stringMatching(reason)])
  })
  it('needs a description and its texts', () => {
    expect(compile('![](parts.diagram.svg)').problems).toEqual([
      '11 diagram parts needs a description: ![what it shows](parts.diagram.svg)',
    ])
    expect(compile('![What it shows](parts.diagram.svg)', '').problems).toEqual([
      '8 diagram parts lacks the text "a"',
    ])
  })
})
