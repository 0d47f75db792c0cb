/**
 * `npm run content:rename -- blog/old-name blog/new-name`: moves an entry, updates the links to it
 * and adds a redirect from its old path.
 */
import { resolve } from 'node:path'
import { readProcessSettings } from '../server/env'
import { renameEntry } from './rename-entry'

try {
  const { CONTENT_DIR } = readProcessSettings(resolve(__dirname, '..'))
  const [from, to] = process.argv.slice(2)
  console.log(renameEntry(CONTENT_DIR, from, to))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
