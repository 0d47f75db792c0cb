import { productSchema } from '../../../shared/product-schema'
import { contentFile } from '../../content/data-files'
import { openForReading } from '../../content/database'
import { missingFacts } from '../../content/missing-facts'
import { siteConfigSchema } from '../../content/site-config'
import type { Settings } from '../../env'
import { note, ok, type Finding } from './finding'
import { readConfig } from './read-config'

/** Lists what only the operator can say, and has to before the site goes live. */
export function checkLaunch(settings: Settings): Finding[] {
  const config = readConfig(settings, 'site.yaml', siteConfigSchema)
  const product = readConfig(settings, 'product.yaml', productSchema) ?? productSchema.parse({})
  // A missing or invalid file is a finding of `checkContent`.
  if (!config) return []
  const db = openForReading(contentFile(settings.DATA_DIR))
  try {
    const missing = missingFacts({ ...config, ...product }, db)
    if (missing.length === 0) return [ok('launch', 'company, mailboxes, prices and files are set')]
    const fix = 'fill it in before the site goes live; until then pages do not show it'
    return missing.map((fact) => note('launch', `to be set: ${fact}`, fix))
  } finally {
    db?.close()
  }
}
