import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import { parseYaml } from '../../content/compile/front-matter'
import type { Settings } from '../../env'

/** A configuration file of the content folder; null while it is missing or invalid. */
export function readConfig<T>(
  { CONTENT_DIR }: Pick<Settings, 'CONTENT_DIR'>,
  name: 'site.yaml' | 'product.yaml',
  schema: z.ZodType<T>,
): T | null {
  try {
    const parsed = parseYaml(readFileSync(join(CONTENT_DIR, name), 'utf8'), schema)
    return parsed.ok ? parsed.value : null
  } catch {
    return null
  }
}
