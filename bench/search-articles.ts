/** Articles put straight into the compiled database of a site that is not running: writing them as files and compiling these would take an hour for 200,000. */
import { contentFile } from '../server/content/data-files'
import { openForWriting } from '../server/content/database'
import { createOutline } from '../server/content/store/outline'
import { createWriter } from '../server/content/compile/write-articles'
import { generatedArticle } from '../scripts/generated-article'
import type { LocaleCode } from '../shared/i18n/locales'

/** Markdown without its marks, as the index takes it; the code of examples stays out. */
const plain = (markdown: string): string =>
  markdown
    .replace(/```[^]*?```/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^(?:#+|-) /gm, '')
    .replace(/\n+/g, '\n')
    .trim()

/** `count` articles in each language; nothing of them that a search does not read. */
export function putArticles(data: string, count: number, locales: readonly LocaleCode[]): void {
  const db = openForWriting(contentFile(data))
  const writer = createWriter(db)
  const field = (front: string, name: string): string =>
    new RegExp(`^${name}: "?(.*?)"?$`, 'm').exec(front)?.[1] ?? ''
  db.transaction(() => {
    for (let number = 1; number <= count; number += 1)
      for (const locale of locales) {
        const [, front = '', body = ''] = generatedArticle(number, locale).split(/^---$/m)
        const [title, description, date, category] = [
          'title',
          'description',
          'date',
          'category',
        ].map((name) => field(front, name)) as [string, string, string, string]
        writer.save(`generated/${number}/${locale}`, '', {
          collection: 'blog',
          id: `generated-${number}`,
          locale,
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
          text: plain(body),
          markdown: '',
          cover: null,
          problems: [],
        })
      }
    const outline = createOutline(db)
    outline.due(['blog'])
    outline.refresh()
  })()
  db.close()
}
