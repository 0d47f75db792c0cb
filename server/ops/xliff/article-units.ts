import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseDocument } from 'yaml'
import { z } from 'zod'
import { schemas, type Collection } from '../../../shared/front-matter'
import type { LocaleCode } from '../../../shared/i18n/locales'
import { parseFrontMatter, parseYaml, splitFrontMatter } from '../../content/compile/front-matter'
import { flatten } from '../../content/translations/flatten'
import {
  dateOf,
  isFactField,
  type TranslationFolders,
} from '../../content/translations/translation-files'
import { OperatorError } from '../../errors'
import { haveSameKinds, isCode, joinBlocks, splitMarkdown, type Block } from './split-markdown'
import type { XliffUnit } from './xliff-document'

type Article = { yaml: string; fields: Readonly<Record<string, string>>; body: string }
type ArticlePair = { source: Article; target: Article | null }
type ArticleId = { collection: Collection; id: string; locale: LocaleCode }
/** Why a file cannot be translated. */
export type Refusal = { reason: string }

/** The result of `read`, or what is wrong with the site's file that it reads. */
export function resultOrRefusal<T>(read: () => T): T | Refusal {
  try {
    return read()
  } catch (error) {
    if (error instanceof OperatorError) return { reason: error.message }
    throw error
  }
}

/** Fields that are facts besides those that must equal the source: dates, people, files. */
const facts = /^(?:updated|publish|author|series|part|cover)$|\.source$/
const isText = (field: string): boolean => !isFactField(field) && !facts.test(field)

export function parseArticle(text: string): Article | Refusal {
  const split = splitFrontMatter(text)
  if ('reason' in split) return split
  const parsed = parseYaml<unknown>(split.yaml, z.unknown(), 1)
  if (!parsed.ok)
    return { reason: parsed.problems.map(({ line, reason }) => `line ${line}: ${reason}`).join() }
  return { ...split, fields: flatten(parsed.value) }
}

/** Null for a file that does not exist or is empty. */
function readArticle(folder: string, locale: LocaleCode): Article | Refusal | null {
  const file = join(folder, `${locale}.md`)
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (text.trim() === '') return null
  const article = parseArticle(text)
  return 'reason' in article ? { reason: `${locale}.md: ${article.reason}` } : article
}

/** The English text of an article and its translation, which may be missing. */
export function readPair(
  { content }: TranslationFolders,
  { collection, id, locale }: ArticleId,
): ArticlePair | Refusal {
  const folder = join(content, collection, id)
  const source = readArticle(folder, 'en') ?? { reason: 'there is no English text' }
  if ('reason' in source) return source
  const target = readArticle(folder, locale)
  return target && 'reason' in target ? target : { source, target }
}

const fieldPrefix = 'front:'
const blockPrefix = 'body:'
const wholeBody = 'body'
const dated = ({ fields }: Article): string => dateOf(fields)
/** What names the version of an English text that a translation was made from. */
export const versionOf = ({ target }: ArticlePair): string | null => target && dated(target)
/** The English text as it is now, with the name of its version. */
export const sourceOf = ({ source }: ArticlePair): { version: string; text: string } => ({
  version: dated(source),
  text: `---\n${source.yaml}---\n${source.body}`,
})
export const isOutdated = ({ source, target }: ArticlePair): boolean =>
  target !== null && dated(target) < dated(source)

/**
 * The units of an article: fields of front matter, and blocks of Markdown without code. Where the
 * translation has other blocks than the source, the whole text is one unit.
 */
export function articleUnits(pair: ArticlePair): XliffUnit[] {
  const { source, target } = pair
  const isDone = target !== null && !isOutdated(pair)
  const unit = (name: string, text: string, translation: string | undefined): XliffUnit => ({
    name,
    source: text,
    target: translation?.trim() ? translation : null,
    isDone: isDone && Boolean(translation?.trim()),
  })
  const fields = Object.entries(source.fields)
    .filter(([field]) => isText(field))
    .map(([field, text]) => unit(fieldPrefix + field, text, target?.fields[field]))
  return [...fields, ...bodyUnits(source, target, unit)]
}

const isBody = ({ name }: XliffUnit): boolean => name.startsWith(wholeBody)

/**
 * The units of an article, each with the English text that the translation was made from. Where the
 * blocks of `before`, the English article of then, are not those of today, the text is one unit.
 */
export function articleChanges(
  pair: ArticlePair,
  before: Article,
): Array<XliffUnit & { before: string }> {
  const { source, target } = pair
  const texts = new Map(
    articleUnits({ source: before, target }).map((unit) => [unit.name, unit.source]),
  )
  const units = articleUnits(pair)
  const hasSameBlocks = units.every((unit) => !isBody(unit) || texts.has(unit.name))
  const shown = hasSameBlocks
    ? units
    : [
        ...units.filter((unit) => !isBody(unit)),
        { name: wholeBody, source: source.body, target: target?.body ?? null, isDone: false },
      ]
  if (!hasSameBlocks) texts.set(wholeBody, before.body)
  return shown.map((unit) => ({ ...unit, before: texts.get(unit.name) ?? '' }))
}

function bodyUnits(
  source: Article,
  target: Article | null,
  unit: (name: string, text: string, translation: string | undefined) => XliffUnit,
): XliffUnit[] {
  const blocks = splitMarkdown(source.body)
  const translated = target && splitMarkdown(target.body)
  if (translated && !haveSameKinds(blocks, translated))
    return [{ ...unit(wholeBody, source.body, target.body), isMarkdown: true }]
  return blocks.flatMap((block, index) =>
    block.text === '' || isCode(block)
      ? []
      : [
          {
            ...unit(`${blockPrefix}${index}`, block.text, translated?.[index]?.text),
            isMarkdown: true,
          },
        ],
  )
}

/** A translation keeps the line feed at the end of its block, which separates it from the next. */
const withLineEnd = (text: string, like: string): string =>
  like.endsWith('\n') && !text.endsWith('\n') ? `${text}\n` : text

function composeBody(
  { source, target }: ArticlePair,
  changed: ReadonlyMap<string, string>,
): string {
  const whole = changed.get(wholeBody)
  if (whole !== undefined) return whole
  const blocks = splitMarkdown(source.body)
  const translated = target && splitMarkdown(target.body)
  if (translated && !haveSameKinds(blocks, translated)) return target.body
  return joinBlocks(
    (translated ?? blocks).map((block, index): Block => {
      const text = changed.get(`${blockPrefix}${index}`)
      return text === undefined ? block : { ...block, text: withLineEnd(text, block.text) }
    }),
  )
}

/** Front matter with changed texts. Facts come from the source, and so does the date of change. */
function composeFrontMatter(
  pair: ArticlePair,
  changed: ReadonlyMap<string, string>,
  followsSource: boolean,
): string {
  const { source, target } = pair
  const document = parseDocument(target?.yaml ?? source.yaml)
  for (const [name, text] of changed) {
    if (!name.startsWith(fieldPrefix)) continue
    const path = name.slice(fieldPrefix.length).split('.')
    document.setIn(
      path.map((key) => (/^\d+$/.test(key) ? Number(key) : key)),
      text,
    )
  }
  if (followsSource && isOutdated(pair)) document.set('updated', dated(source))
  return document.toString({ lineWidth: 0, flowCollectionPadding: false })
}

/** The file of a translation with changed texts, and what is wrong with it. */
export function composeArticle(
  pair: ArticlePair,
  collection: Collection,
  units: readonly XliffUnit[],
  changed: ReadonlyMap<string, string>,
  followsSource: boolean,
): { text: string; problems: Array<{ unit: string; reason: string }> } {
  const text = `---\n${composeFrontMatter(pair, changed, followsSource)}---\n${composeBody(pair, changed)}`
  if (!pair.target) {
    const missing = units.filter(({ name }) => !changed.has(name))
    if (missing.length > 0)
      return {
        text,
        problems: missing.map(({ name }) => ({ unit: name, reason: 'has no translation yet' })),
      }
  }
  const parsed = parseFrontMatter<unknown>(text, schemas[collection])
  const problems = parsed.ok
    ? []
    : parsed.problems.map(({ line, reason }) => ({ unit: `line ${line}`, reason }))
  return { text, problems }
}
