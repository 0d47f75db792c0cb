import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { validateXML } from 'xmllint-wasm'
import { root } from './root'

const fixtures = join(root, 'test', 'fixtures', 'schemas')
const read = (name: string, folder = fixtures): { fileName: string; contents: string } => ({
  fileName: name,
  contents: readFileSync(join(folder, name), 'utf8'),
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

/** Validates an XLIFF document against the schema of OASIS in `folder`; returns its errors. */
export async function xliffSchemaErrors(xml: string, folder: string): Promise<string[]> {
  const schema = read('xliff-core-2.0.xsd', folder)
  const { errors } = await validateXML({
    xml: { fileName: 'document.xlf', contents: xml },
    extension: 'schema',
    schema: {
      ...schema,
      contents: schema.contents.replace(
        /schemaLocation="[^"]*xml\.xsd"/,
        'schemaLocation="xml.xsd"',
      ),
    },
    preload: [read('xml.xsd', folder)],
  })
  return errors.map(({ message }) => message)
}
