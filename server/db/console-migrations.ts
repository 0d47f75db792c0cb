import { sql } from 'kysely'
import {
  bigint,
  createTables,
  integer,
  optionalNumber,
  text,
  textKey,
  type Migration,
  type Step,
} from './migration-steps'

/** Tables and indexes of the owner's console. */
export const consoleMigrations: readonly Migration[] = [
  {
    name: '0006-event-counts',
    up: async (db, dialect) => {
      const counts = {
        columns: {
          metric: text,
          start: bigint,
          locale: text,
          country: text,
          device: text,
          count: integer,
        },
      }
      const columns = ['metric', 'start', 'locale', 'country', 'device']
      await createTables({
        event_hours: { ...counts, primaryKey: { name: 'event_hours_once', columns } },
        event_days: { ...counts, primaryKey: { name: 'event_days_once', columns } },
        event_keys: {
          columns: { kind: text, start: bigint, key: text, locale: text, count: integer },
          primaryKey: { name: 'event_keys_once', columns: ['kind', 'start', 'key', 'locale'] },
        },
        error_groups: {
          columns: {
            id: textKey,
            error_type: text,
            what: text,
            message: text,
            first_at: bigint,
            last_at: bigint,
          },
          index: { name: 'error_groups_last', column: 'last_at' },
        },
        visitor_days: {
          columns: { start: bigint, device_id: text, steps: integer },
          primaryKey: { name: 'visitor_days_once', columns: ['start', 'device_id'] },
        },
        count_cursors: { columns: { name: textKey, at: bigint, id: text } },
      })(db, dialect)
    },
  },
  {
    // The console searches and lists by these columns.
    name: '0007-console-indexes',
    up: async ({ schema }) => {
      const indexes = [
        ['events', 'device_id'],
        ['sources', 'device_id'],
        ['sources', 'at'],
        ['referrals', 'at'],
        ['messages', 'at'],
        ['accounts', 'created_at'],
        ['accounts', 'signed_in_at'],
      ] as const
      for (const [table, column] of indexes)
        await schema.createIndex(`${table}_by_${column}`).on(table).column(column).execute()
      for (const table of ['accounts', 'messages'])
        await schema
          .createIndex(`${table}_by_email`)
          .on(table)
          .column(sql`lower(email)`)
          .execute()
      await schema
        .alterTable('messages')
        .addColumn('state', 'text', (column) => column.notNull().defaultTo('new'))
        .execute()
      await schema
        .alterTable('messages')
        .addColumn('note', 'text', (column) => column.notNull().defaultTo(''))
        .execute()
    },
  },
  {
    name: '0008-prune-results',
    up: createTables({
      prune_results: { columns: { table_name: textKey, at: bigint, deleted: bigint } },
    }),
  },
  {
    // Counts of given pages, without reading those of all others.
    name: '0009-event-keys-by-key',
    up: async ({ schema }) => {
      await schema
        .createIndex('event_keys_by_key')
        .on('event_keys')
        .columns(['kind', 'key', 'start'])
        .execute()
    },
  },
  {
    name: '0010-searches-and-vitals',
    up: createTables({
      search_terms: {
        columns: { day: text, locale: text, query: text, count: integer, results: integer },
        primaryKey: { name: 'search_terms_once', columns: ['day', 'locale', 'query'] },
      },
      route_vitals: {
        columns: {
          route: text,
          locale: text,
          visits: integer,
          lcp: optionalNumber,
          inp: optionalNumber,
          cls: optionalNumber,
        },
        primaryKey: { name: 'route_vitals_once', columns: ['route', 'locale'] },
      },
    }),
  },
]

/** Counts that the console reads; a released migration uses the list, so it never changes. */
export const countTables = [
  'event_hours',
  'event_days',
  'event_keys',
  'visitor_days',
  'address_counts',
  'search_terms',
  'search_misses',
]

/**
 * A step that orders the events of a device by their ids, so that they can be read batch by batch.
 * SQLite's index orders them by row number, which serves the same purpose.
 */
export const orderDeviceEvents: Step = async ({ schema }, dialect) => {
  if (dialect === 'sqlite') return
  await schema.dropIndex('events_by_device_id').execute()
  await schema
    .createIndex('events_by_device_id')
    .on('events')
    .columns(['device_id', 'id'])
    .execute()
}

/**
 * A step that makes indexes from which PostgreSQL sums the searches of a year without a sort and
 * without reading the tables.
 */
export const indexSearchesByQuery: Step = async (db, dialect) => {
  if (dialect === 'sqlite') return
  await sql`
    create index search_terms_by_query on search_terms (locale, query, day)
    include (count, results)`.execute(db)
  await sql`
    create index search_misses_by_query on search_misses (locale, query, day)
    include (count)`.execute(db)
}

/**
 * A step that makes the same indexes on SQLite. It has no `include`, so the counts are further
 * columns of the index.
 */
export const indexSearchesByQueryOnSqlite: Step = async ({ schema }, dialect) => {
  if (dialect === 'postgres') return
  await schema
    .createIndex('search_terms_by_query')
    .on('search_terms')
    .columns(['locale', 'query', 'day', 'count', 'results'])
    .execute()
  await schema
    .createIndex('search_misses_by_query')
    .on('search_misses')
    .columns(['locale', 'query', 'day', 'count'])
    .execute()
}
