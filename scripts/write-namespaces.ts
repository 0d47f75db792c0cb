/**
 * Generates `shared/i18n/generated-namespaces.ts` from the files of `locales/en`: the list of
 * namespaces and the types of their texts, which make i18next refuse unknown keys.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const header =
  '// Generated from the files of locales/en by scripts/write-namespaces.ts. Do not edit.\n'

/** `partner-plan` -> `partnerPlan` */
const identifierOf = (namespace: string): string =>
  namespace.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
const propertyOf = (namespace: string): string =>
  identifierOf(namespace) === namespace ? namespace : `'${namespace}'`

/** Source of the generated file. Throws where a file name is not lower-case words with hyphens. */
export function namespacesSource(root: string): string {
  const namespaces = readdirSync(join(root, 'locales', 'en'))
    .filter((file) => file.endsWith('.json') && !file.startsWith('.'))
    .map((file) => basename(file, '.json'))
    .sort()
  for (const namespace of namespaces)
    if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(namespace))
      throw new Error(`locales/en/${namespace}.json: use lower-case words with hyphens`)
  const imports = namespaces.map(
    (namespace) =>
      `import type ${identifierOf(namespace)} from '../../locales/en/${namespace}.json'\n`,
  )
  const list = namespaces.map((namespace) => `  '${namespace}',\n`)
  const types = namespaces.map(
    (namespace) => `  ${propertyOf(namespace)}: typeof ${identifierOf(namespace)}\n`,
  )
  return (
    `${header}${imports.join('')}\n` +
    `export const namespaces = [\n${list.join('')}] as const\n\n` +
    `/** Texts of each namespace in English, the source of all translations. */\n` +
    `export type Resources = {\n${types.join('')}}\n`
  )
}

/** Writes the generated file where it is not current. */
export function writeNamespaces(root: string): void {
  const file = join(root, 'shared', 'i18n', 'generated-namespaces.ts')
  const source = namespacesSource(root)
  if (!existsSync(file) || readFileSync(file, 'utf8') !== source) writeFileSync(file, source)
}
