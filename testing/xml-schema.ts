import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { validateXML } from 'xmllint-wasm'
import { root } from './root'

const read = (name: string): { fileName: string; contents: string } => ({
  fileName: name,
  contents: readFileSync(join(root, 'test', 'fixtures', 'schemas', name), 'utf8'),
})

/** Validates a document against a schema of the fixtures with xmllint; returns its errors. */
export async function schemaErrors(
  xml: string,
  schema: 'all.xsd' | 'siteindex.xsd' | 'atom.rng',
): Promise<string[]> {
  const { errors } = await validateXML({
    xml: { fileName: 'document.xml', contents: xml },
    extension: schema.endsWith('.rng') ? 'relaxng' : 'schema',
    schema: read(schema),
    preload: schema === 'all.xsd' ? [read('sitemap.xsd'), read('xhtml-link.xsd')] : [],
  })
  return errors.map(({ message }) => message)
}
