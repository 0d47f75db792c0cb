/** The databases on which the same tests run. */
import { describe } from '@jest/globals'
import { join } from 'node:path'
import { describeWith } from './describe-with'
import { startPostgres } from './postgres'
import { temporaryFolder } from './release-with-tests'

export type TestStore = {
  /** `DATABASE_URL` of a new, empty database. */
  url: () => Promise<string>
  stop: () => Promise<void>
}

/** Declares a group of tests once for SQLite and once for PostgreSQL. */
export function describeOnStores(
  name: string,
  tests: (start: () => Promise<TestStore>, store: 'SQLite' | 'PostgreSQL') => void,
): void {
  describe(`${name}, on SQLite`, () =>
    tests(
      () =>
        Promise.resolve({
          url: () => Promise.resolve(`file:${join(temporaryFolder('store'), 'site.db')}`),
          stop: () => Promise.resolve(),
        }),
      'SQLite',
    ))
  describeWith(['postgres'], `${name}, on PostgreSQL`, ({ postgres }) =>
    tests(async () => {
      const server = await startPostgres(postgres)
      return { url: server.makeDatabase, stop: server.stop }
    }, 'PostgreSQL'),
  )
}
