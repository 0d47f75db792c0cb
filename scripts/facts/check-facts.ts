import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { collections } from '../../shared/front-matter'
import { productSchema } from '../../shared/product-schema'
import { flatten } from '../../server/content/translations/flatten'
import { readArticle } from '../i18n/read-article'
import { createFactCheck, type Contradiction } from './find-contradictions'

type FactFinding = Contradiction & { file: string; line: number }

type Text = { file: string; source: string; texts: readonly string[] }

/** English interface texts: one text for each key. */
const interfaceTexts = (root: string): Text[] =>
  readdirSync(join(root, 'locales', 'en')).map((name) => {
    const source = readFileSync(join(root, 'locales', 'en', name), 'utf8')
    return { file: `locales/en/${name}`, source, texts: Object.values(flatten(JSON.parse(source))) }
  })

/** English articles: each text of the front matter, and the body. */
const articles = (root: string): Text[] =>
  collections.flatMap((collection) =>
    readdirSync(join(root, 'content', collection), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('/en.md'))
      .map((path) => {
        const file = `content/${collection}/${path}`
        const { source, frontMatter, body } = readArticle(join(root, file))
        return { file, source, texts: [...Object.values(frontMatter), body] }
      }),
  )

/** The first line that has the beginning of a sentence. */
function lineOf(source: string, sentence: string): number {
  const plain = source.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[*_`>]/g, '')
  const index = plain.indexOf(sentence.slice(0, 40))
  return index < 0 ? 1 : plain.slice(0, index).split('\n').length
}

/** Contradictions between English texts and `content/product.yaml`, by file and line. */
export function checkFacts(root: string): FactFinding[] {
  const yaml = readFileSync(join(root, 'content', 'product.yaml'), 'utf8')
  const check = createFactCheck(productSchema.parse(parse(yaml)))
  return [...interfaceTexts(root), ...articles(root)].flatMap(({ file, source, texts }) =>
    texts.flatMap(check).map((finding) => ({
      file,
      line: lineOf(source, finding.sentence),
      ...finding,
    })),
  )
}
