import type { Product } from '../../shared/product-schema'
import type { Connection } from './database'
import type { SiteConfig } from './site-config'

type Facts = Pick<SiteConfig, 'contact' | 'company'> & Pick<Product, 'plans' | 'sample_prices'>

const newestRelease = `
  SELECT id, front FROM articles
  WHERE collection = 'release' AND live = 1 AND source = '' ORDER BY date DESC, id LIMIT 1`

/** The newest release that offers sample files, which the download page shows. */
function sampleRelease(db: Connection): string | null {
  const newest = db.prepare<[], { id: string; front: string }>(newestRelease).get()
  if (!newest) return null
  // The cast: the compiler has validated what it stored as JSON.
  const { files } = JSON.parse(newest.front) as { files: Array<{ sample?: boolean }> }
  return files.some(({ sample }) => sample) ? newest.id : null
}

/**
 * The settings of site.yaml and product.yaml that the operator must fill in before going live.
 * Until then, pages leave them out or show a labeled example.
 */
export function missingFacts(
  { contact, company, plans, sample_prices }: Facts,
  db: Connection | null,
): string[] {
  const unset = (group: string, values: Readonly<Record<string, string>>): string[] =>
    Object.keys(values).flatMap((key) => (values[key] === '' ? [`${group}.${key}`] : []))
  const inSite = [
    ...unset('contact', { ...contact, support: contact.support || contact.email }),
    ...unset('company', company),
  ]
  const release = db && sampleRelease(db)
  const hasPrices = Object.values(plans).some(({ monthly }) => monthly)
  return [
    ...(inSite.length > 0 ? [`${inSite.join(', ')} in content/site.yaml`] : []),
    ...(sample_prices ? ['the prices in content/product.yaml (then remove sample_prices)'] : []),
    ...(hasPrices ? [] : ['prices in content/product.yaml']),
    ...(release ? [`the files of content/release/${release}, which are sample files`] : []),
  ]
}

/** The facts that the operator still has to fill in, from the compiled site and product files. */
export function readMissingFacts(db: Connection): string[] {
  const document = db.prepare<[string], { json: string }>(
    'SELECT json FROM documents WHERE name = ?',
  )
  const read = (name: string): unknown => JSON.parse(document.get(name)?.json ?? 'null')
  // The casts: the compiler has validated what it stored as JSON.
  const config = read('site') as SiteConfig | null
  const product = read('product') as Product | null
  return config && product ? missingFacts({ ...config, ...product }, db) : []
}
