import { parseDocument } from 'yaml'
import { z } from 'zod'
import type { Problem } from './compile/front-matter'

const textsSchema = z.record(z.string(), z.unknown(), 'a JSON object is expected')

/**
 * Where JSON has its first mistake. `JSON.parse` does not always say so. YAML contains JSON, so its
 * parser finds most of the same mistakes.
 */
function mistakeOffset(source: string, reason: string): number {
  const position = /position (\d+)/.exec(reason)?.[1]
  if (position !== undefined) return Number(position)
  return parseDocument(source, { schema: 'json' }).errors[0]?.pos[0] ?? 0
}

/** Parses a file of interface texts. */
export function parseTexts(
  source: string,
): { texts: Record<string, unknown> } | { problem: Omit<Problem, 'file'> } {
  try {
    const parsed = textsSchema.safeParse(JSON.parse(source))
    return parsed.success
      ? { texts: parsed.data }
      : { problem: { line: 1, reason: parsed.error.issues[0]?.message ?? '' } }
  } catch (error) {
    // The message may hold several lines of the source.
    const reason = (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ')
    const before = source.slice(0, mistakeOffset(source, reason))
    return { problem: { line: before.split('\n').length, reason } }
  }
}
