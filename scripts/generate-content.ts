/**
 * `npm run content:generate -- --articles 1000 --out DIR [--locales en,zh]`: writes articles for
 * benchmarks. The same number gives the same articles.
 */
import { copyFileSync, existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { isLocaleCode } from '../shared/i18n/locales'
import { writeGeneratedArticles } from './generate-article'

const { values } = parseArgs({
  options: {
    articles: { type: 'string', default: '1000' },
    out: { type: 'string' },
    locales: { type: 'string', default: 'en' },
  },
})

function fail(reason: string): never {
  console.error(reason)
  process.exit(1)
}

const out = values.out
  ? resolve(values.out)
  : fail('--out DIR is required: the folder for the articles')
const count = /^\d{1,7}$/.test(values.articles)
  ? Number(values.articles)
  : fail(`--articles ${values.articles} is not a whole number of at most 7 digits`)
const codes = values.locales.split(',')
for (const code of codes) if (!isLocaleCode(code)) fail(`--locales ${code}: unknown language`)

writeGeneratedArticles(out, count, codes.filter(isLocaleCode))
// With the configuration of the site, the folder can be used as CONTENT_DIR.
for (const name of ['site.yaml', 'product.yaml'])
  if (!existsSync(join(out, name)))
    copyFileSync(resolve(__dirname, '..', 'content', name), join(out, name))
console.log(`${count} articles in ${codes.join(', ')} below ${out}`)
