/** Translations as XLIFF 2.1 (spec 8.12). */
import fs, { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals'
import { DOMParser, type Element } from '@xmldom/xmldom'
import { localeCodes } from '../../../shared/i18n/locales'
import { namespaces } from '../../../shared/i18n/namespaces'
import { importXliff, type ImportResult } from '../../../server/ops/xliff/import-xliff'
import { tokenize, toText } from '../../../server/ops/xliff/inline-codes'
import { readXliff } from '../../../server/ops/xliff/read-xliff'
import { saveTranslations } from '../../../server/ops/xliff/save-translations'
import { joinBlocks, splitMarkdown } from '../../../server/ops/xliff/split-markdown'
import { pathOf, unitsOf, type TranslationFile } from '../../../server/ops/xliff/translation-file'
import { changedUnitsOf } from '../../../server/ops/xliff/translation-sources'
import { writeXliff } from '../../../server/ops/xliff/write-xliff'
import { xliffNamespace, type XliffUnit } from '../../../server/ops/xliff/xliff-document'
import { runXliffJob } from '../../../server/ops/xliff/xliff-jobs'
import { openMemoryDatabase } from '../../../testing/memory-database'
import { root } from '../../../testing/root'
import { articleFiles, exportedFiles, textFiles, toXliff } from '../../../testing/xliff-exports'
import { temporaryFolder } from '../../../testing/release-with-tests'

/** Runs of each property. */
const numRuns = 1000
/** Any code points. `fc.string({ unit: 'binary' })` makes a table of all of them first: 2 s. */
const anyCodePoints = fc
  .array(fc.nat(0x10ffff - 0x800))
  .map((points) =>
    points.map((point) => String.fromCodePoint(point < 0xd800 ? point : point + 0x800)).join(''),
  )
const piece = fc.oneof(
  anyCodePoints,
  fc.string(),
  fc.constantFrom(
    ...['`code`', '``', '{{brand}}', '{{ count }}', '[words](/docs/x#y)', '[a [b] c](d)'],
    ...["![alt](p.png 'A caption')", '![alt](p.png "=640x360")', '<0>', '</0>', '<br/>'],
    ...['https://a.example/b?c=d.', '## ', '- [ ] ', '> [!TIP]', ':::tabs\n', '== One\n'],
    ...[
      '\n',
      '\n\n',
      '\r',
      '\r\n',
      '\t',
      '\0',
      '\x1f',
      '\ud800',
      '\udc00',
      '\uffff',
      '\ufffd',
      '\u2028',
      '\u2029',
      '\x85',
    ],
    ...['[^1]', '{#anchor}', ']]>', '&amp;', '<!--', '[', ']', '(', ')', '```\n', '~~~~\n', '😀'],
  ),
)
const anyText = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''))

describe('the round trip through XLIFF', () => {
  it('keeps every text that is split into words and codes', () => {
    fc.assert(
      fc.property(anyText, fc.boolean(), (text, isMarkdown) => {
        expect(toText(tokenize(text, isMarkdown))).toBe(text)
      }),
      { numRuns: 10 * numRuns },
    )
  })

  it('keeps every Markdown text that is split into blocks', () => {
    fc.assert(
      fc.property(anyText, (text) => expect(joinBlocks(splitMarkdown(text))).toBe(text)),
      { numRuns },
    )
  })

  const unit = fc.record({
    name: fc.string(),
    source: anyText,
    target: fc.option(anyText),
    isDone: fc.boolean(),
    isMarkdown: fc.boolean(),
    note: anyCodePoints,
  })
  it('keeps every unit of every document, which is valid', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(unit, { minLength: 1, maxLength: 5, selector: ({ name }) => name }),
        (units) => {
          const file = { original: 'locales/th/home.json', units }
          const xml = writeXliff({
            sourceLanguage: 'en-US',
            targetLanguage: 'th-TH',
            files: [file],
          })
          expect(structureFaults(xml)).toEqual([])
          expect(readXliff(xml)).toEqual({
            sourceLanguage: 'en-US',
            targetLanguage: 'th-TH',
            files: [
              {
                original: file.original,
                units: units.map(({ name, source, target, isDone }) => ({
                  name,
                  source,
                  target,
                  isDone,
                })),
              },
            ],
          })
        },
      ),
      { numRuns },
    )
  })
})

/** Children that each element may have, in their order, by the schema of XLIFF 2.1. */
const children: Readonly<Record<string, RegExp>> = {
  xliff: /^(file )+$/,
  file: /^(notes )?((unit|group) )+$/,
  unit: /^(notes )?(originalData )?((segment|ignorable) )+$/,
  notes: /^(note )+$/,
  originalData: /^(data )+$/,
  segment: /^source (target )?$/,
  note: /^(cp )*$/,
  data: /^(cp )*$/,
  source: /^((cp|ph|pc) )*$/,
  target: /^((cp|ph|pc) )*$/,
  pc: /^((cp|ph|pc) )*$/,
  ph: /^$/,
  cp: /^$/,
}
/** Attributes of each element; those after the bar are optional. */
const attributes: Readonly<Record<string, string>> = {
  xliff: 'srcLang version xmlns|trgLang',
  file: 'id|original xml:space',
  unit: 'id|name',
  notes: '|',
  note: '|',
  originalData: '|',
  data: 'id|',
  segment: '|state',
  source: '|',
  target: '|',
  ph: 'id|canCopy canDelete dataRef',
  pc: 'id|canCopy canDelete dataRefEnd dataRefStart',
  cp: 'hex|',
}

/**
 * What in a document breaks the schema (xliff_core_2.0.xsd of the OASIS standard) or the
 * constraints that the standard adds in words: ids are unique within their scope, references have a
 * target, a code of the target has the id of the same code of the source.
 */
function structureFaults(xml: string): string[] {
  const faults: string[] = []
  // Goes from sibling to sibling, which is faster: the package checks the list `childNodes` for
  // changes whenever it is read.
  function elements(parent: Element): Element[] {
    const list: Element[] = []
    for (let node = parent.firstChild; node; node = node.nextSibling)
      if (node.nodeType === node.ELEMENT_NODE) list.push(node as Element)
    return list
  }
  const unique = (what: string, ids: readonly string[]): void => {
    if (new Set(ids).size !== ids.length) faults.push(`${what}: an id is repeated`)
    for (const id of ids) if (!/^[\w:.-]+$/.test(id)) faults.push(`${what}: "${id}" is no NMTOKEN`)
  }
  // `getElementsByTagNameNS` makes a live list, which takes longer.
  const all = (parent: Element, name: string): Element[] =>
    elements(parent).flatMap((child) => [
      ...(child.localName === name && child.namespaceURI === xliffNamespace ? [child] : []),
      ...all(child, name),
    ])
  const idsOf = (list: readonly Element[]): string[] =>
    list.map((one) => one.getAttribute('id') ?? '')

  function check(element: Element): void {
    const name = element.localName ?? ''
    const inside = elements(element)
    const order = inside.map((child) => `${child.localName} `).join('')
    if (!children[name]?.test(order)) faults.push(`<${name}> has the children ${order}`)
    const [required = '', optional = ''] = (attributes[name] ?? '').split('|')
    const present = Array.from(element.attributes).map((attribute) => attribute.name)
    for (const one of required.split(' ').filter(Boolean))
      if (!present.includes(one)) faults.push(`<${name}> lacks ${one}`)
    for (const one of present)
      if (![...required.split(' '), ...optional.split(' ')].includes(one))
        faults.push(`<${name}> has ${one}`)
    if (['xliff', 'file', 'unit', 'originalData', 'segment', 'notes'].includes(name))
      for (let node = element.firstChild; node; node = node.nextSibling)
        if (node.nodeType === node.TEXT_NODE && node.nodeValue?.trim())
          faults.push(`<${name}> has text`)
    if (name === 'unit') checkUnit(element)
    inside.forEach(check)
  }
  function checkUnit(element: Element): void {
    const data = idsOf(all(element, 'data'))
    unique('data', data)
    const codesIn = (name: string): Element[] =>
      all(element, name).flatMap((part) => [...all(part, 'ph'), ...all(part, 'pc')])
    const source = codesIn('source')
    const target = codesIn('target')
    unique('source', idsOf(source))
    unique('target', idsOf(target))
    for (const code of [...source, ...target])
      for (const reference of ['dataRef', 'dataRefStart', 'dataRefEnd']) {
        const id = code.getAttribute(reference)
        if (id !== null && !data.includes(id)) faults.push(`${reference}="${id}" names no data`)
      }
    const signature = (code: Element): string =>
      [
        code.localName,
        ...['dataRef', 'dataRefStart', 'dataRefEnd'].map((one) => code.getAttribute(one)),
      ].join()
    const inSource = new Map(source.map((code) => [code.getAttribute('id'), code]))
    for (const code of target) {
      const same = inSource.get(code.getAttribute('id'))
      if (same && signature(same) !== signature(code)) faults.push('an id names two codes')
    }
  }
  const { documentElement } = new DOMParser().parseFromString(xml, 'application/xml')
  if (!documentElement) return ['empty']
  if (documentElement.getAttribute('version') !== '2.1') faults.push('another version')
  if (documentElement.namespaceURI !== xliffNamespace) faults.push('another namespace')
  unique('file', idsOf(all(documentElement, 'file')))
  for (const file of all(documentElement, 'file')) unique('unit', idsOf(all(file, 'unit')))
  check(documentElement)
  return faults
}

const work = temporaryFolder('xliff')
const folders = { content: join(work, 'content'), locales: join(work, 'locales') }
const file = (path: string): string => join(work, path)
const read = (path: string): string => readFileSync(file(path), 'utf8')
beforeAll(() => {
  for (const name of ['content', 'locales'])
    cpSync(join(root, name), file(name), { recursive: true })
})
afterAll(() => rmSync(work, { recursive: true, force: true }))

const problemsOf = ({ files }: ImportResult): string[] =>
  files.flatMap(({ path, problems }) =>
    problems.map(({ unit, reason }) => `${path} ${unit}: ${reason}`),
  )
/** A unit of the home page's texts or of an article, changed, as the only one of its document. */
function change(
  target: TranslationFile,
  name: string,
  edit: (unit: XliffUnit) => Partial<XliffUnit>,
) {
  const [first] = exportedFiles(folders, [target])
  const unit = first?.units.find((one) => one.name === name)
  if (!first || !unit) throw new Error(`no unit ${name}`)
  const locale = target.locale
  return importXliff(folders, toXliff(locale, [{ ...first, units: [{ ...unit, ...edit(unit) }] }]))
}

describe('the texts of the site', () => {
  it.each(localeCodes.filter((code) => code !== 'en'))(
    'export valid documents, whose import changes nothing (%s)',
    (locale) => {
      // Articles in two languages are enough: they differ from texts by the form of their files.
      const list = ['zh', 'th'].includes(locale) ? articleFiles(locale) : []
      const xml = toXliff(locale, exportedFiles(folders, [...textFiles(locale), ...list]))
      expect(structureFaults(xml)).toEqual([])
      const result = importXliff(folders, xml)
      expect(problemsOf(result).filter((one) => !one.includes('has no translation yet'))).toEqual(
        [],
      )
      expect(result.output).toEqual([])
    },
  )

  it('are written again from an export as they were', () => {
    const locale = 'th'
    const list = [...textFiles(locale), ...articleFiles(locale)]
    const xml = toXliff(locale, exportedFiles(folders, list))
    const before = new Map(list.map((one) => [pathOf(one), one]))
    const missing = namespaces.map((namespace) => `locales/${locale}/${namespace}.json`)
    const kept = new Map(missing.map((path) => [path, read(path)]))
    for (const path of missing) rmSync(file(path))
    const { output } = importXliff(folders, xml)
    for (const { path, text } of output)
      if (before.has(path)) {
        mkdirSync(dirname(file(path)), { recursive: true })
        writeFileSync(file(path), text)
      }
    for (const [path, text] of kept) expect(JSON.parse(read(path))).toEqual(JSON.parse(text))
    for (const [path, text] of kept) writeFileSync(file(path), text)
  })

  it('take random translations, which the next export has', () => {
    const target: TranslationFile = { kind: 'texts', locale: 'es', namespace: 'home' }
    const original = read(pathOf(target))
    const [units = []] = exportedFiles(folders, [target]).map((one) => one.units)
    const words = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text.trim() !== '')
    fc.assert(
      fc.property(fc.nat(units.length - 1), words, (index, text) => {
        const unit = units[index]
        // Only words change: the codes are those of the source.
        const translation = unit
          ? toText(
              tokenize(unit.source).map((token) =>
                typeof token === 'string' ? text.replace(/[`<[{(\\]/g, '') || 'x' : token,
              ),
            )
          : ''
        const result = change(target, unit?.name ?? '', () => ({
          target: translation,
          isDone: true,
        }))
        const [written] = result.output
        if (written) writeFileSync(file(pathOf(target)), written.text)
        const after = exportedFiles(folders, [target])[0]?.units.find(
          ({ name }) => name === unit?.name,
        )
        if (problemsOf(result).length === 0) expect(after?.target).toBe(translation)
      }),
      { numRuns: 40 },
    )
    writeFileSync(file(pathOf(target)), original)
  })
})

describe('an import', () => {
  const home: TranslationFile = { kind: 'texts', locale: 'es', namespace: 'home' }
  const article: TranslationFile = {
    kind: 'article',
    locale: 'es',
    collection: 'blog',
    id: 'profile-hygiene',
  }
  const plural: TranslationFile = { kind: 'texts', locale: 'ru', namespace: 'search' }

  it.each<[string, TranslationFile, string, (unit: XliffUnit) => Partial<XliffUnit>, RegExp]>([
    [
      'a lost placeholder',
      home,
      'hero.lead',
      () => ({ target: 'Sin marca.' }),
      /\{\{brand\}\} is missing/,
    ],
    [
      'a new placeholder',
      home,
      'hero.lead',
      ({ source }) => ({ target: `${source} {{other}}` }),
      /\{\{other\}\} is not in the source/,
    ],
    [
      'a changed source',
      home,
      'hero.lead',
      ({ source }) => ({ source: `${source}!`, target: `${source} x` }),
      /source has changed/,
    ],
    ['an unknown text', home, 'hero.lead', () => ({ name: 'hero.nothing' }), /no such text/],
    [
      'an incomplete article',
      article,
      'front:title',
      () => ({ target: 'Higiene' }),
      /has no translation yet/,
    ],
    [
      'a title that is too long',
      { ...article, locale: 'zh' },
      'front:title',
      () => ({ target: '长'.repeat(121) }),
      /line 2: title/,
    ],
  ])('refuses %s', (_name, target, name, edit, reason) => {
    const result = change(target, name, edit)
    expect(problemsOf(result).join('\n')).toMatch(reason)
    expect(result.output).toEqual([])
  })

  it('refuses a changed link and changed code, and accepts the anchor of a language', () => {
    const source = 'See [the rule](/docs/organise#names) and `code`.'
    const edit = (from: string, to: string): string[] => {
      write({ en: source, es: null })
      const [first] = exportedFiles(folders, [target])
      if (!first) throw new Error('no units')
      const units = first.units.map((unit) => ({ ...unit, target: unit.source.replace(from, to) }))
      return problemsOf(importXliff(folders, toXliff('es', [{ ...first, units }])))
    }
    const target: TranslationFile = {
      kind: 'article',
      locale: 'es',
      collection: 'blog',
      id: 'codes',
    }
    const write = (bodies: { en: string; es: string | null }): void => {
      mkdirSync(file('content/blog/codes'), { recursive: true })
      writeFileSync(
        file('content/blog/codes/en.md'),
        `---\ntitle: A title\ndescription: A description\ndate: 2026-11-20\ncategory: proxies\n---\n\n${bodies.en}\n`,
      )
    }
    expect(edit('the rule', 'la norma')).toEqual([])
    expect(edit('#names', '#nombres')).toEqual([])
    expect(edit('/docs/organise', '/docs/other').join()).toMatch(
      /is missing.*is not in the source/s,
    )
    expect(edit('`code`', '`código`').join()).toMatch(/`code` is missing/)
    rmSync(file('content/blog/codes'), { recursive: true })
  })

  it('refuses a text without all plural forms of its language', () => {
    const [first] = exportedFiles(folders, [plural])
    const forms = first?.units.filter(({ note }) => note?.startsWith('Plural form')) ?? []
    const [some] = forms
    expect(forms.map(({ name }) => name.replace(/.*_/, ''))).toEqual(
      expect.arrayContaining(['one', 'few', 'many', 'other']),
    )
    const path = pathOf(plural)
    const original = read(path)
    const tree = JSON.parse(original) as Record<string, unknown>
    const base = some?.name.replace(/_\w+$/, '') ?? ''
    const text = JSON.stringify(tree, (key, value: unknown) =>
      base.endsWith(key.replace(/_\w+$/, '')) && /_(?:one|few|many|other)$/.test(key)
        ? undefined
        : value,
    )
    writeFileSync(file(path), text)
    const result = change(plural, some?.name ?? '', ({ source }) => ({ target: `${source} .` }))
    expect(problemsOf(result).join('\n')).toMatch(
      /_(?:few|many|other): this plural form is missing/,
    )
    writeFileSync(file(path), original)
  })

  it.each([
    ['a word of the glossary', 'hero.title', 'Texto con API', []],
    ['another number', 'hero.note', 'Gratis para 4.', ['number: 3 in the source, 4 here']],
  ])('warns of %s, and imports it', (_name, name, target, expected) => {
    const { files, output } = change(home, name, () => ({ target }))
    expect(
      files[0]?.warnings.map(({ reason }) => reason).filter((one) => /number/.test(one)),
    ).toEqual(expected)
    expect(output.length).toBeGreaterThan(0)
  })

  it.each([
    ['different texts', 'hero.note', { changed: 2, problems: [] }],
    [
      'one text twice',
      'hero.title',
      {
        changed: 1,
        problems: [{ unit: 'hero.title', reason: 'it has two different translations' }],
      },
    ],
  ])('takes a file that is in the document twice, with %s', (_name, name, report) => {
    const [first] = exportedFiles(folders, [home])
    const files = ['hero.title', name].map((wanted, index) => ({
      original: pathOf(home),
      units: (first?.units ?? [])
        .filter((unit) => unit.name === wanted)
        .map((unit) => ({ ...unit, target: `${unit.source} (${index})` })),
    }))
    const result = importXliff(folders, toXliff('es', files))
    expect(result.files).toMatchObject([report])
    const written = result.output.filter(({ path }) => path === pathOf(home))
    expect(written.map(({ text }) => text.match(/\([01]\)"/g))).toEqual(
      report.problems.length > 0 ? [] : [['(0)"', '(1)"']],
    )
  })

  describe('of an article whose file is written in another way', () => {
    const page: TranslationFile = {
      kind: 'article',
      locale: 'fr',
      collection: 'pages',
      id: 'terms',
    }
    const paths = ['en', 'fr'].map((locale) => pathOf({ ...page, locale: locale as 'en' }))
    const originals = new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
    const rewrite = (edit: (text: string) => string): void => {
      for (const [path, text] of originals) writeFileSync(file(path), edit(text))
    }
    afterAll(() => rewrite((text) => text))
    const noBody = (text: string): string => text.slice(0, text.indexOf('\n---\n') + 4)

    it.each<[string, (text: string) => string, boolean]>([
      ['a byte order mark', (text) => `\uFEFF${text}`, true],
      ['Windows line endings', (text) => text.replaceAll('\n', '\r\n'), true],
      ['a blank after the closing ---', (text) => text.replace('\n---\n', '\n--- \n'), true],
      ['an end at the closing ---', noBody, false],
    ])('keeps what is not in the document: %s', (_name, edit, hasBody) => {
      rewrite(edit)
      const { output, files } = change(page, 'front:title', () => ({ target: 'Les conditions' }))
      expect(files).toMatchObject([{ changed: 1, problems: [] }])
      const [written] = output
      const expected = originals.get(written?.path ?? '') ?? ''
      expect(written?.text).toContain('title: "Les conditions"\n')
      const bodyOf = (text: string): string => text.slice(text.indexOf('\n---\n') + 5)
      expect(bodyOf(written?.text ?? '')).toBe(hasBody ? bodyOf(expected) : '')
    })

    it.each<[string, (text: string) => string, RegExp]>([
      ['no front matter', () => 'Text.', /^en\.md: front matter is missing/],
      ['front matter without an end', (text) => noBody(text).slice(0, -3), /front matter is not/],
      ['broken YAML', (text) => text.replace('title:', 'title: "'), /^en\.md: line \d+: ./],
    ])('is refused with the reason for %s', (_name, edit, reason) => {
      rewrite((text) => text)
      const [sent] = exportedFiles(folders, [page])
      rewrite(edit)
      expect(unitsOf(folders, page)).toEqual({ reason: expect.stringMatching(reason) })
      const { files, output } = importXliff(folders, toXliff('fr', sent ? [sent] : []))
      expect(files).toMatchObject([{ problems: [{ reason: expect.stringMatching(reason) }] }])
      expect(output).toEqual([])
    })

    it('is refused when only the translation cannot be split', () => {
      rewrite((text) => text)
      const [sent] = exportedFiles(folders, [page])
      writeFileSync(file(pathOf(page)), 'Texte.')
      const { files, output } = importXliff(folders, toXliff('fr', sent ? [sent] : []))
      const reason: unknown = expect.stringMatching(/^fr\.md: front matter is missing/)
      expect(files).toMatchObject([{ problems: [{ reason }] }])
      expect(output).toEqual([])
    })
  })

  it('makes a new article whose facts are those of the source', () => {
    const [first] = exportedFiles(folders, [article])
    const units = first?.units.map((unit) => ({ ...unit, target: unit.source, isDone: true })) ?? []
    const xml = toXliff('es', [{ original: pathOf(article), units }])
    const { output, files } = importXliff(folders, xml)
    expect(files[0]).toMatchObject({ changed: units.length, untranslated: 0, problems: [] })
    const [made] = output
    expect(made?.path).toBe('content/blog/profile-hygiene/es.md')
    // Every text equals the source here, so the files do too, apart from the form of the YAML.
    const body = (text: string): string => text.slice(text.indexOf('\n---\n') + 5)
    expect(body(made?.text ?? '')).toBe(body(read('content/blog/profile-hygiene/en.md')))
    expect(made?.text).toContain('date: 2026-11-17\ncategory: operations\ncover: cover.png\n')
  })

  it('records that a text belongs to the current source', () => {
    const result = change(home, 'hero.title', ({ source }) => ({ target: `${source} (es)` }))
    expect(result.output.map(({ path }) => path)).toEqual(['locales/es/home.json'])
    const hashes = JSON.parse(read('locales/es/.sources.json')) as Record<string, string>
    delete hashes['home:hero.title']
    const original = read('locales/es/.sources.json')
    writeFileSync(file('locales/es/.sources.json'), JSON.stringify(hashes))
    const again = change(home, 'hero.title', ({ source }) => ({ target: `${source} (es)` }))
    expect(again.output.map(({ path }) => path)).toEqual([
      'locales/es/home.json',
      'locales/es/.sources.json',
    ])
    expect(JSON.parse(again.output[1]?.text ?? '')).toEqual(JSON.parse(original))
    writeFileSync(file('locales/es/.sources.json'), original)
  })

  it('joins segments that a tool has split, in the order of their targets', () => {
    const xml = `<?xml version="1.0"?><xliff xmlns="${xliffNamespace}" version="2.0" srcLang="en-US" trgLang="es-ES"><file id="f"><group id="g"><unit id="u" name="n"><originalData><data id="d">{{x}}</data></originalData><segment state="final"><source>One. </source><target order="2"><mrk id="m" type="term">Uno</mrk>.</target></segment><ignorable><source> </source></ignorable><segment state="final"><source>Two <ph id="1" dataRef="d"/></source><target order="1">Dos <ph id="1" dataRef="d"/> </target></segment></unit></group></file></xliff>`
    expect(readXliff(xml).files[0]?.units).toEqual([
      { name: 'n', source: 'One.  Two {{x}}', target: 'Dos {{x}} Uno. ', isDone: true },
    ])
  })

  const withSource = (source: string): string =>
    `<xliff xmlns="${xliffNamespace}" version="2.1"><file id="f"><unit id="u" name="n"><segment><source>${source}</source></segment></unit></file></xliff>`
  it.each([
    ['no XML', 'hello', /not well-formed/],
    ['XML that is cut off', '<xliff>', /not well-formed/],
    ['a document type', '<!DOCTYPE x [<!ENTITY a "b">]><x/>', /document type/],
    ['an empty file', '', /not well-formed/],
    ['a file of comments', '<!-- nothing -->', /not well-formed/],
    ['another format', '<x/>', /not XLIFF 2/],
    ['an older version', `<xliff xmlns="${xliffNamespace}" version="1.2"/>`, /2\.0 or 2\.1/],
    [
      'another language',
      `<xliff xmlns="${xliffNamespace}" version="2.1" trgLang="de-DE"/>`,
      /trgLang/,
    ],
    [
      'a code without its data',
      withSource('<ph id="1" dataRef="d"/>'),
      /<ph> has no original data/,
    ],
    ['an unknown element', withSource('a <b>bold</b> word'), /<b> is not known inside a text/],
  ])('refuses %s', (_name, xml, reason) => {
    expect(() => importXliff(folders, xml)).toThrow(reason)
  })

  it.each([
    '../../etc/passwd',
    'locales/es/../../x.json',
    'content/blog/x/../../../es.md',
    'locales/en/home.json',
    'locales/fr/home.json',
    'content/site.yaml',
    'locales/es/.sources.json',
  ])('writes no file at %s', (path) => {
    const unit = { name: 'hero.title', source: 'x', target: 'y', isDone: true }
    const result = importXliff(folders, toXliff('es', [{ original: path, units: [unit] }]))
    expect(result.output).toEqual([])
    expect(problemsOf(result)).toHaveLength(1)
  })
})

it('files that cannot be written for an unexpected reason are reported with it', () => {
  const locales = file('no-folder')
  writeFileSync(locales, '')
  const output = [{ path: 'locales/th/home.json', text: '{}' }]
  expect(() => saveTranslations({ ...folders, locales }, output)).toThrow(/ENOTDIR|ENOENT/)
})

describe('files that cannot all be written', () => {
  const output = [1, 2, 3, 4, 5].map((number) => ({
    path: `locales/th/${number}.json`,
    text: `new ${number}`,
  }))
  const locales = file('unwritable')
  const path = (number: number): string => join(locales, 'th', `${number}.json`)
  beforeEach(() => {
    mkdirSync(join(locales, 'th'), { recursive: true })
    for (const number of [1, 2, 4, 5]) writeFileSync(path(number), `old ${number}`)
  })
  afterEach(() => {
    jest.restoreAllMocks()
    rmSync(locales, { recursive: true })
  })

  it.each<[string, () => void]>([
    ['a folder has the name of one of them', () => mkdirSync(path(3))],
    [
      'the disk is full at one of them',
      () => {
        const write = fs.writeFileSync
        jest.spyOn(fs, 'writeFileSync').mockImplementation((target, text) => {
          if (String(target).startsWith(path(3)))
            throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
          write(target, text)
        })
      },
    ],
  ])('stay as they were when %s', (_name, prepare) => {
    prepare()
    expect(saveTranslations({ ...folders, locales }, output)).toBe(false)
    expect([1, 2, 4, 5].map((number) => readFileSync(path(number), 'utf8'))).toEqual(
      [1, 2, 4, 5].map((number) => `old ${number}`),
    )
    expect(fs.readdirSync(join(locales, 'th')).filter((name) => /part$/.test(name))).toEqual([])
  })
})

describe('a file of texts that is not valid JSON', () => {
  const home = 'locales/es/home.json'
  const other = 'locales/es/faq.json'
  const unit = { name: 'x', source: 'x', target: 'y', isDone: true }
  const damage = (path: string): void => {
    const text = read(path)
    restore = () => writeFileSync(file(path), text)
    writeFileSync(file(path), '{\n  "hero": {\n    "title" "Inicio"\n  }\n}\n')
  }
  let restore = (): void => undefined
  afterEach(() => restore())
  const reason = (path: string) => expect.stringMatching(`${path}, line 3: `)
  const exported = (paths: readonly string[]): string => {
    const xml = runXliffJob({ kind: 'export', folders, locale: 'es', paths, scope: 'all' })
    if (typeof xml !== 'string') throw new Error('no document')
    return xml
  }

  it('is listed as broken, beside the others', () => {
    damage(home)
    expect(runXliffJob({ kind: 'list', folders, locale: 'es' })).toMatchObject({
      texts: [{ path: home, title: 'home', state: 'broken', texts: 0, words: 0 }],
    })
  })

  it('is named when it is compared, also when it is the English one', async () => {
    const database = await openMemoryDatabase()
    const texts = { kind: 'texts', locale: 'es', namespace: 'home' } as const
    for (const path of [home, 'locales/en/home.json', 'locales/es/.sources.json']) {
      damage(path)
      expect(await changedUnitsOf(folders, database, texts)).toEqual({ reason: reason(path) })
      restore()
    }
    await database.close()
  })

  it('is named when it is exported, and left out of an export of several', () => {
    damage(home)
    expect(() => exported([home])).toThrow(expect.objectContaining({ message: reason(home) }))
    const xml = exported([home, other])
    expect(Array.from(xml.matchAll(/ original="([^"]+)"/g), ([, path]) => path)).toEqual([other])
  })

  it('is left out of an import with the reason, and the others are imported', () => {
    const sent = exportedFiles(folders, [{ kind: 'texts', locale: 'es', namespace: 'faq' }])
    damage(home)
    const xml = toXliff('es', [{ original: home, units: [unit] }, ...sent])
    expect(importXliff(folders, xml).files).toMatchObject([
      { path: home, problems: [{ unit: '', reason: reason(home) }] },
      { path: other, problems: [] },
    ])
  })

  it('does not hold back articles when it is the record of the sources', () => {
    damage('locales/es/.sources.json')
    const article = {
      kind: 'article',
      locale: 'es',
      collection: 'blog',
      id: 'choosing-a-proxy-type',
    } as const
    const { files } = importXliff(folders, toXliff('es', exportedFiles(folders, [article])))
    expect(files).toMatchObject([{ path: pathOf(article), problems: [] }])
  })
})

describe('the thread of a job', () => {
  afterEach(() => {
    jest.dontMock('node:worker_threads')
    jest.resetModules()
  })
  const run = async (job: object): Promise<unknown[]> => {
    const sent: unknown[] = []
    const parentPort = { postMessage: (answer: unknown) => sent.push(answer) }
    jest.doMock('node:worker_threads', () => ({ parentPort, workerData: job }))
    await import('../../../server/ops/xliff/xliff-worker')
    return sent
  }

  it('sends what is wrong with the document', async () =>
    expect(await run({ kind: 'import', folders, xliff: '<x/>', write: false })).toEqual([
      { refused: expect.stringContaining('not XLIFF 2') },
    ]))

  it('fails with every other error', () =>
    expect(
      run({ kind: 'import', folders: null, xliff: withNoFiles, write: false }),
    ).rejects.toThrow(TypeError))
  const withNoFiles = `<xliff xmlns="${xliffNamespace}" version="2.1" trgLang="es-ES"/>`
})
