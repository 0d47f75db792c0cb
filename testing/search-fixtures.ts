import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { localeCodes, type LocaleCode } from '../shared/i18n/locales'
import { root } from './root'

const fixtureSchema = z.object({
  articles: z.record(
    z.string(),
    z.object({ title: z.string(), description: z.string(), text: z.string() }),
  ),
  /** A query and the article that must be the first hit. */
  queries: z.array(z.tuple([z.string(), z.string()])).min(12),
})

export const fixtureOf = (locale: LocaleCode): z.infer<typeof fixtureSchema> =>
  fixtureSchema.parse(
    parse(readFileSync(join(root, 'test', 'fixtures', 'search', `${locale}.yaml`), 'utf8')),
  )

/** Writes the articles of all languages as documentation below a content folder. */
export function writeSearchFixtures(content: string): void {
  for (const locale of localeCodes) {
    for (const [index, [id, { title, description, text }]] of Object.entries(
      fixtureOf(locale).articles,
    ).entries()) {
      mkdirSync(join(content, 'docs', id), { recursive: true })
      writeFileSync(
        join(content, 'docs', id, `${locale}.md`),
        `---\ntitle: ${JSON.stringify(title)}\ndescription: ${JSON.stringify(description)}\ndate: 2026-11-01\nsection: start\norder: ${index}\n---\n\n${text}\n`,
      )
    }
  }
}
