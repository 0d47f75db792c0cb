import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root'

/** The address that tests of proxies allow to use the console, as an operator's office. */
export const officeAddress = '127.0.0.3'

/**
 * A file of `deploy/` with what an operator edits replaced; throws if such a text is no longer in
 * it.
 */
export const deployFile = (
  name: string,
  changes: ReadonlyArray<readonly [RegExp, string]>,
): string =>
  changes.reduce(
    (text, [pattern, by]) => {
      if (text.search(pattern) < 0) throw new Error(`deploy/${name} has no ${pattern.source}`)
      return text.replace(pattern, by)
    },
    readFileSync(join(root, 'deploy', name), 'utf8'),
  )
