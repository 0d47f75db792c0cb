import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { root } from './root'
import { temporaryFolder } from './site'

/** A copy of the starter content whose `site.yaml` says something else here and there. The caller deletes it. */
export function contentWith(changes: Readonly<Record<string, unknown>>): string {
  const folder = temporaryFolder('content')
  cpSync(join(root, 'content'), folder, { recursive: true })
  const file = join(folder, 'site.yaml')
  writeFileSync(file, stringify({ ...(parse(readFileSync(file, 'utf8')) as object), ...changes }))
  return folder
}
