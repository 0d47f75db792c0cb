/**
 * Inserts generated articles directly into the compiled database of a site that is not running.
 * They have no files, so the site's own content stays as it is.
 */
import { contentFile } from '../server/content/data-files'
import { openForWriting } from '../server/content/database'
import { prepareArticle } from '../server/content/compile/prepare-article'
import { createOutlineWriter } from '../server/content/compile/write-outline'
import { createArticleWriter } from '../server/content/compile/write-articles'
import { generateArticle } from '../scripts/generate-article'
import type { LocaleCode } from '../shared/i18n/locales'

/** Plain text of Markdown without code blocks, as the search index stores it. */
const plainText = (markdown: string): string =>
  markdown
    .replace(/```[^]*?```/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^(?:#+|-) /gm, '')
    .replace(/\n+/g, '\n')
    .trim()

/** Inserts `count` articles in each language, with only the fields that a search reads. */
export function insertArticles(data: string, count: number, locales: readonly LocaleCode[]): void {
  const db = openForWriting(contentFile(data))
  const writer = createArticleWriter(db)
  const field = (front: string, name: string): string =>
    new RegExp(`^${name}: "?(.*?)"?$`, 'm').exec(front)?.[1] ?? ''
  db.transaction(() => {
    for (let number = 1; number <= count; number += 1)
      for (const locale of locales) {
        const [, front = '', body = ''] = generateArticle(number, locale).split(/^---$/m)
        const [title, description, date, category] = [
          'title',
          'description',
          'date',
          'category',
        ].map((name) => field(front, name)) as [string, string, string, string]
        const article = prepareArticle({
          collection: 'blog',
          id: `generated-${number}`,
          locale,
          source: '',
          title,
          description,
          date,
          updated: null,
          category,
          position: null,
          tags: field(front, 'tags').slice(1, -1).split(', '),
          draft: false,
          publish: null,
          minutes: 3,
          front: { title, description, date, category, tags: [] },
          html: '',
          headings: [...body.matchAll(/^## (.*)$/gm)].map(([, text = ''], index) => ({
            id: `h${index}`,
            text,
            depth: 2,
          })),
          text: plainText(body),
          markdown: '',
          cover: null,
          problems: [],
        })
        writer.save(`generated/${number}/${locale}`, '', article)
      }
    const outline = createOutlineWriter(db)
    outline.markStale(['blog'])
    outline.refresh()
  })()
  db.close()
}
