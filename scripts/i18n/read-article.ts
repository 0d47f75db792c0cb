import { existsSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { splitFrontMatter } from '../../server/content/compile/front-matter'
import { flatten, type FlatTexts } from '../../server/content/translations/flatten'

/**
 * `source`: the whole file. `frontMatter`: the fields of `yaml`, by their path
 * (`questions.0.answer`).
 */
export type Article = { source: string; yaml: string; frontMatter: FlatTexts; body: string }

/**
 * The fields of front matter, by its text. Parsing takes most of the time of a check, and the
 * check of each language reads the English articles.
 */
const parsed = new Map<string, FlatTexts>()

function fieldsOf(yaml: string): FlatTexts {
  const fields = parsed.get(yaml) ?? flatten(parse(yaml))
  parsed.set(yaml, fields)
  return fields
}

/** Throws when the file does not exist or has no front matter. */
export function readArticle(file: string): Article {
  const source = readFileSync(file, 'utf8')
  const split = splitFrontMatter(source)
  if ('reason' in split) throw new Error(`${file}: ${split.reason}`)
  return { source, frontMatter: fieldsOf(split.yaml), ...split }
}

export const readArticleIfExists = (file: string): Article | null =>
  existsSync(file) ? readArticle(file) : null
