import { describe, it } from '@jest/globals'
import { debianProgram, type ProgramName } from './debian-program'

/**
 * Declares tests that need programs besides Node; they get their folders. Where one cannot be had the group is reported as skipped, by name and with the
 * reason; under `CI=true` it fails.
 */
export function describeWith<P extends ProgramName>(
  needed: readonly P[],
  name: string,
  tests: (folders: Readonly<Record<P, string>>) => void,
): void {
  const found = needed.map((program) => ({ program, ...debianProgram(program) }))
  const missing = found.flatMap((one) => ('missing' in one ? [one.missing] : [])).join('; ')
  // Complete whenever a test of the group runs: a group that misses one is only declared.
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
