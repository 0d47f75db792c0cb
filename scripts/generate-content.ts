/** `npm run content:generate -- --articles 1000 --out DIR [--locales en,zh]`: articles for measuring, the same for the same number. */
import { copyFileSync, existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { isLocaleCode } from '../shared/i18n/locales'
import { writeGeneratedArticles } from './generated-article'

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
  : fail('--out DIR is missing: the folder to write articles to')
const count = /^\d{1,7}$/.test(values.articles)
  ? Number(values.articles)
  : fail(`--articles ${values.articles}: a whole number is expected`)
const wanted = values.locales.split(',')
for (const code of wanted) if (!isLocaleCode(code)) fail(`--locales ${code}: no such language`)

writeGeneratedArticles(out, count, wanted.filter(isLocaleCode))
// With the site's own configuration the folder can stand in for `content/`.
if (!existsSync(join(out, 'site.yaml')))
  copyFileSync(resolve(__dirname, '..', 'content', 'site.yaml'), join(out, 'site.yaml'))
console.log(`${count} articles in ${wanted.join(', ')} below ${out}`)
