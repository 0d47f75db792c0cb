import { readFileSync } from 'node:fs'
import { errorCode } from '../../errors'
import type { Problem } from './front-matter'

/** Whether an error says that a file or folder does not exist. */
export const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes(String(errorCode(error)))

/** What is reported of a file or folder that exists and cannot be read: `EACCES`, for example. */
export const unreadable = (error: unknown): string =>
  `cannot be read (${String(errorCode(error) ?? error)})`

/** The text of a file (null when it does not exist), or why the file cannot be read. */
export function readOptional(
  path: string,
): { source: string | null } | { problem: Omit<Problem, 'file'> } {
  try {
    return { source: readFileSync(path, 'utf8') }
  } catch (error) {
    return isMissing(error) ? { source: null } : { problem: { line: 1, reason: unreadable(error) } }
  }
}
