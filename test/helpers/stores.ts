/** The stores that the same tests run on. One that cannot be had is skipped by name and with its reason; under CI it fails. */
import { describe } from '@jest/globals'
import { join } from 'node:path'
import { postgresPrograms, startPostgres } from './postgres'
import { temporaryFolder } from './site'

export type TestStore = { /** `DATABASE_URL` of a fresh, empty database. */ url: () => Promise<string>; stop: () => void }

/** Declares a group of tests once for SQLite and once for PostgreSQL. */
export function describeOnStores(name: string, tests: (start: () => Promise<TestStore>) => void): void {
  describe(`${name}, on SQLite`, () => tests(async () => ({ url: async () => `file:${join(temporaryFolder('store'), 'site.db')}`, stop: () => undefined })))
  const programs = postgresPrograms()
  const missing = 'missing' in programs ? programs.missing : null
  const describePostgres = missing && process.env['CI'] !== 'true' ? describe.skip : describe
  describePostgres(`${name}, on PostgreSQL${missing ? ` (skipped: ${missing})` : ''}`, () => tests(async () => {
    if ('missing' in programs) throw new Error(programs.missing)
    const server = await startPostgres(programs.folder)
    return { url: server.makeDatabase, stop: server.stop }
  }))
}
