import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { root } from './root'
import { temporaryFolder } from './site'

/** Copies the starter content and changes values of `site.yaml`. The caller deletes the copy. */
export function contentWith(changes: Readonly<Record<string, unknown>>): string {
  const folder = temporaryFolder('content')
  cpSync(join(root, 'content'), folder, { recursive: true })
  const file = join(folder, 'site.yaml')
  writeFileSync(file, stringify({ ...(parse(readFileSync(file, 'utf8')) as object), ...changes }))
  return folder
}
