/** XLIFF documents against the schema of the standard (spec 8.12). */
import { expect, it } from '@jest/globals'
import type { LocaleCode } from '../../../shared/i18n/locales'
import { describeWith } from '../../../testing/describe-with'
import {
  articleFiles,
  exportedFiles,
  projectFolders,
  textFiles,
  toXliff,
} from '../../../testing/xliff-exports'
import { xliffSchemaErrors } from '../../../testing/xml-schema'

describeWith(['xliffSchema'], 'the schema of XLIFF by OASIS', ({ xliffSchema }) => {
  // Documents of other languages differ in their words only.
  it.each<LocaleCode>(['zh', 'ru', 'th'])(
    'accepts the export of all texts and articles (%s)',
    async (locale) => {
      const files = exportedFiles(projectFolders, [...textFiles(locale), ...articleFiles(locale)])
      expect(files.length).toBeGreaterThan(100)
      expect(await xliffSchemaErrors(toXliff(locale, files), xliffSchema)).toEqual([])
    },
  )

  it('refuses an element that it does not know', async () => {
    const xml = toXliff('th', exportedFiles(projectFolders, textFiles('th').slice(0, 1)))
    const wrong = xml.replace('<segment', '<part/><segment')
    expect(wrong).not.toBe(xml)
    expect((await xliffSchemaErrors(wrong, xliffSchema)).join()).toContain('part')
  })
})
