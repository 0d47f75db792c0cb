/** The English texts that translations were made from (spec 8.12). */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Database } from '../../../server/db/database'
import { storeTranslationSources } from '../../../server/db/translation-sources'
import { importXliff } from '../../../server/ops/xliff/import-xliff'
import { saveTranslations } from '../../../server/ops/xliff/save-translations'
import { parsePath } from '../../../server/ops/xliff/translation-file'
import { changedUnitsOf } from '../../../server/ops/xliff/translation-sources'
import { writeXliff } from '../../../server/ops/xliff/write-xliff'
import { openTestDatabase } from '../../../testing/console-data'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { describeOnStores, type TestStore } from '../../../testing/stores'
import { exportedFiles } from '../../../testing/xliff-exports'

const texts = 'locales/es/home.json'
const article = 'content/blog/shared/es.md'
const articleText = (date: string, body: string): string =>
  `---\ntitle: "Share a profile"\ndescription: "How it works"\ndate: ${date}\ncategory: proxies\n---\n\n${body}`

describeOnStores('the English texts of translations', (start) => {
  let store: TestStore | undefined
  let database: Database
  const folder = temporaryFolder('translation-sources')
  const folders = { content: join(folder, 'content'), locales: join(folder, 'locales') }
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const writeTexts = (hero: string): void =>
    write('locales/en/home.json', JSON.stringify({ hero, price: 'From {{price}}' }))
  const fileAt = (path: string) => {
    const file = parsePath(path)
    if (!file) throw new Error(`${path} is no translation`)
    return file
  }
  /** Translates all units of a file as the console does. */
  async function translate(path: string): Promise<void> {
    const files = exportedFiles(folders, [fileAt(path)]).map(({ original, units }) => ({
      original,
      units: units.map((unit) => ({ ...unit, target: `ES ${unit.source}` })),
    }))
    const xliff = writeXliff({ sourceLanguage: 'en-US', targetLanguage: 'es-ES', files })
    const { output, sources, files: reports } = importXliff(folders, xliff)
    expect(reports[0]?.problems).toEqual([])
    await storeTranslationSources(database, sources)
    expect(saveTranslations(folders, output)).toBe(true)
  }
  async function changesOf(path: string) {
    const units = await changedUnitsOf(folders, database, fileAt(path))
    if ('reason' in units) throw new Error(units.reason)
    return units.map(({ name, source, before, target }) => ({ name, source, before, target }))
  }
  beforeAll(async () => {
    store = await start()
    database = openTestDatabase(await store.url())
  }, 120_000)
  afterAll(async () => {
    await database?.close()
    await store?.stop()
  })

  it('are known of interface texts after an import, also when English changes', async () => {
    writeTexts('Keep accounts apart')
    await translate(texts)
    writeTexts('Keep all accounts apart')
    const price = { name: 'price', source: 'From {{price}}', target: 'ES From {{price}}' }
    expect(await changesOf(texts)).toEqual([
      {
        name: 'hero',
        source: 'Keep all accounts apart',
        before: 'Keep accounts apart',
        target: 'ES Keep accounts apart',
      },
      { ...price, before: 'From {{price}}' },
    ])
    // A translation of the new text refers to the new text, and another import changes nothing.
    await translate(texts)
    await translate(texts)
    expect((await changesOf(texts))[0]?.before).toBe('Keep all accounts apart')
  })

  it('are known of the fields and blocks of an article', async () => {
    write('content/blog/shared/en.md', articleText('2026-11-01', 'Choose Share.\n\nDone.\n'))
    await translate(article)
    const changed = articleText('2026-11-20', 'Choose Share profile.\n\nDone.\n')
    write('content/blog/shared/en.md', changed.replace('How it works', 'How sharing works'))
    const changes = await changesOf(article)
    expect(
      changes.map(({ name, before, source }) => [name, before?.trim(), source.trim()]),
    ).toEqual([
      ['front:title', 'Share a profile', 'Share a profile'],
      ['front:description', 'How it works', 'How sharing works'],
      ['body:1', 'Choose Share.', 'Choose Share profile.'],
      ['body:2', 'Done.', 'Done.'],
    ])
  })

  it('are shown as one text where an article has other blocks than before', async () => {
    const body = '## Share\n\nChoose Share.\n\nDone.\n'
    write('content/blog/shared/en.md', articleText('2026-11-21', body))
    const changes = await changesOf(article)
    expect(changes.at(-1)).toMatchObject({
      name: 'body',
      before: '\nChoose Share.\n\nDone.\n',
      source: `\n${body}`,
    })
    expect(changes.filter(({ name }) => name.startsWith('body'))).toHaveLength(1)
  })

  it('are not known of a translation that was not imported', async () => {
    write('content/blog/other/en.md', articleText('2026-11-02', 'Text.\n'))
    write('content/blog/other/es.md', articleText('2026-11-01', 'Texto.\n'))
    const changes = await changesOf('content/blog/other/es.md')
    expect(new Set(changes.map(({ before }) => before))).toEqual(new Set([null]))
  })
})
