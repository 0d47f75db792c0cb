import { describe, it } from '@jest/globals'
import { debianProgram, type ProgramName } from './debian-program'

/**
 * Declares tests that need programs besides Node and passes their folders. If a program is missing,
 * the group is reported as skipped with the reason; with `CI=true` it fails.
 */
export function describeWith<P extends ProgramName>(
  needed: readonly P[],
  name: string,
  tests: (folders: Readonly<Record<P, string>>) => void,
): void {
  const found = needed.map((program) => ({ program, ...debianProgram(program) }))
  const missing = found.flatMap((one) => ('missing' in one ? [one.missing] : [])).join('; ')
  // A group that lacks a program is declared but never runs, so this record is complete when a test
  // runs.
  const folders = Object.fromEntries(
    found.map((one) => [one.program, 'folder' in one ? one.folder : '']),
  ) as Record<P, string>
  if (missing === '') describe(name, () => tests(folders))
  else if (process.env['CI'] !== 'true')
    describe.skip(`${name} (skipped: ${missing})`, () => tests(folders))
  else
    describe(name, () =>
      it('has the programs that it needs', () => {
        throw new Error(missing)
      }),
    )
}
