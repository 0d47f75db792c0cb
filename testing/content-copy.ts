import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { root } from './root'
import { temporaryFolder } from './release-with-tests'

/** Mailboxes of a site whose operator has set them. */
export const mailboxes = {
  contact: { email: 'hello@site.test', support: 'support@site.test', abuse: 'abuse@site.test' },
} as const

/**
 * Copies the starter content and changes values of `site.yaml`. `only`: folders to copy, so that
 * the content compiles quickly. The caller deletes the copy.
 */
export function contentWith(
  changes: Readonly<Record<string, unknown>>,
  only: readonly string[] = readdirSync(join(root, 'content')),
): string {
  const folder = temporaryFolder('content')
  for (const path of [...only, 'site.yaml', 'product.yaml', 'redirects.yaml', 'glossary.yaml'])
    cpSync(join(root, 'content', path), join(folder, path), {
      recursive: true,
      preserveTimestamps: true,
    })
  const file = join(folder, 'site.yaml')
  writeFileSync(file, stringify({ ...(parse(readFileSync(file, 'utf8')) as object), ...changes }))
  return folder
}
