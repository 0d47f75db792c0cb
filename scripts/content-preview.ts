/**
 * `npm run content:preview -- blog/x en [--days 7]`: prints a signed link that shows a draft or
 * scheduled article until it expires.
 */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { dayMs } from '../shared/constants'
import { isLocaleCode, locales } from '../shared/i18n/locales'
import { parseContentPath } from '../server/content/compile/content-path'
import { restrictNewFiles } from '../server/db/data-folder'
import { readProcessSettings } from '../server/env'
import { previewPath, previewSecret } from '../server/pages/previews/preview-link'
import { createHosts } from '../server/url/hosts'

function print(): void {
  const {
    values,
    positionals: [name = '', locale = 'en'],
  } = parseArgs({ allowPositionals: true, options: { days: { type: 'string', default: '7' } } })
  const place = parseContentPath(`${name}/${locale}.md`)
  if (!place || 'reason' in place || !isLocaleCode(locale))
    throw new Error(
      `usage: npm run content:preview -- blog/an-article en [--days 7]${place && 'reason' in place ? `: ${place.reason}` : ''}`,
    )
  const days = Number(values.days)
  if (!Number.isFinite(days) || days <= 0 || days > 90)
    throw new Error('--days takes a number above 0 and up to 90')
  const settings = readProcessSettings(resolve(__dirname, '..'))
  if (!existsSync(join(settings.CONTENT_DIR, name, `${locale}.md`)))
    throw new Error(`${name}/${locale}.md does not exist in CONTENT_DIR`)
  const preview = {
    collection: place.collection,
    id: place.id,
    locale,
    expires: Math.round(Date.now() + days * dayMs),
  }
  console.log(
    createHosts(settings, settings.PORT).origins[locales[locale].domain] +
      previewPath(preview, previewSecret(settings.DATA_DIR)),
  )
  console.error(`the link works until ${new Date(preview.expires).toISOString()}`)
}

try {
  restrictNewFiles()
  print()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
