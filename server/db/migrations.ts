import { sql } from 'kysely'
import {
  consoleMigrations,
  countTables,
  indexSearchesByQuery,
  indexSearchesByQueryOnSqlite,
  orderDeviceEvents,
} from './console-migrations'
import {
  bigint,
  createTables,
  integer,
  optionalBigint,
  optionalNumber,
  serialKey,
  storeWithinPrimaryKeys,
  text,
  textKey,
  textReference,
  uuidKey,
  type Migration,
} from './migration-steps'
import { addSearchTotals } from './search-totals'

/**
 * Every migration runs once, in this order. A released migration never changes: data folders exist
 * that have run it. The next change of the tables is a further row. `tables.ts` describes the
 * columns.
 */
export const migrations: readonly Migration[] = [
  {
    name: '0001-first-tables',
    up: createTables({
      secrets: { columns: { name: textKey, kind: text, value: text, created_at: bigint } },
      accounts: {
        columns: {
          id: textKey,
          provider: text,
          subject: text,
          email: text,
          name: text,
          picture: text,
          language: text,
          invite_code: text,
          source: text,
          referer: text,
          created_at: bigint,
          signed_in_at: bigint,
        },
        unique: { name: 'accounts_subject', columns: ['provider', 'subject'] },
      },
      tokens: {
        columns: {
          hash: textKey,
          account_id: textReference('accounts.id'),
          expires_at: bigint,
          redeemed_at: optionalBigint,
        },
        index: { name: 'tokens_expiry', column: 'expires_at' },
      },
      used_nonces: {
        columns: { hash: textKey, expires_at: bigint },
        index: { name: 'used_nonces_expiry', column: 'expires_at' },
      },
      events: {
        columns: {
          id: uuidKey,
          received_at: bigint,
          ts: bigint,
          kind: text,
          op: integer,
          locale: text,
          device_id: text,
          url: text,
          data: text,
          context_id: text,
        },
        index: { name: 'events_received', column: 'received_at' },
      },
      event_contexts: { columns: { id: textKey, received_at: bigint, data: text } },
      referrals: {
        columns: { device_id: text, code: text, at: bigint },
        primaryKey: { name: 'referrals_once', columns: ['device_id', 'code'] },
      },
      fingerprints: {
        columns: {
          device_id: text,
          log_type: text,
          hash: text,
          at: bigint,
          data: text,
          base: text,
        },
        primaryKey: { name: 'fingerprints_once', columns: ['device_id', 'log_type', 'hash'] },
        index: { name: 'fingerprints_at', column: 'at' },
      },
      search_misses: {
        columns: { day: text, locale: text, query: text, count: integer },
        primaryKey: { name: 'search_misses_once', columns: ['day', 'locale', 'query'] },
      },
      sources: {
        columns: {
          id: serialKey,
          at: bigint,
          device_id: text,
          referer: text,
          page_url: text,
          source: text,
          callback: text,
          utm_source: text,
          utm_medium: text,
          utm_term: text,
          utm_content: text,
          utm_campaign: text,
          bd_vid: text,
        },
      },
      messages: {
        columns: {
          id: serialKey,
          at: bigint,
          name: text,
          email: text,
          message: text,
          locale: text,
          page: text,
        },
      },
      helpful_votes: {
        columns: { id: serialKey, at: bigint, page: text, locale: text, helpful: integer },
      },
    }),
  },
  {
    name: '0002-vitals',
    up: createTables({
      vitals: {
        columns: {
          id: serialKey,
          at: bigint,
          route: text,
          locale: text,
          lcp: optionalNumber,
          inp: optionalNumber,
          cls: optionalNumber,
          fcp: optionalNumber,
          ttfb: optionalNumber,
        },
        index: { name: 'vitals_at', column: 'at' },
      },
    }),
  },
  {
    // It is not known which of the older accounts were used, so all count as used.
    name: '0003-account-use',
    up: async (db) => {
      await db.schema.alterTable('accounts').addColumn('used_at', 'bigint').execute()
      await sql`update accounts set used_at = signed_in_at`.execute(db)
    },
  },
  {
    name: '0004-operator-sessions',
    up: createTables({
      operator_sessions: {
        columns: { id: textKey, operator: text, created_at: bigint, expires_at: bigint },
        index: { name: 'operator_sessions_expiry', column: 'expires_at' },
      },
    }),
  },
  {
    name: '0005-announcements',
    up: async (db, dialect) => {
      await createTables({
        leases: { columns: { name: textKey, holder: text, expires_at: bigint } },
        announced_pages: { columns: { page: textKey, state: text, locales: text } },
        announcements: {
          columns: { id: serialKey, at: bigint, host: text, url: text, batch_id: optionalBigint },
          index: { name: 'announcements_batch', column: 'batch_id' },
        },
        announcement_batches: {
          columns: {
            id: serialKey,
            at: bigint,
            host: text,
            urls: integer,
            attempts: integer,
            next_at: optionalBigint,
            status: optionalBigint,
            error: text,
          },
          index: { name: 'announcement_batches_next', column: 'next_at' },
        },
      })(db, dialect)
      // A URL waits once, however often its page changes before it is sent.
      await db.schema
        .createIndex('announcements_waiting')
        .unique()
        .on('announcements')
        .column('url')
        .where(sql.ref('batch_id'), 'is', null)
        .execute()
    },
  },
  ...consoleMigrations,
  {
    name: '0009-address-counts',
    up: createTables({
      address_counts: {
        columns: {
          day: text,
          host: text,
          path: text,
          status: integer,
          referrer: text,
          count: integer,
        },
        primaryKey: {
          name: 'address_counts_once',
          columns: ['day', 'status', 'host', 'path', 'referrer'],
        },
      },
    }),
  },
  {
    name: '0011-counts-within-primary-keys',
    up: storeWithinPrimaryKeys(countTables),
  },
  {
    name: '0012-translation-sources',
    up: createTables({
      translation_sources: {
        columns: { path: text, unit: text, version: text, text, at: bigint },
        primaryKey: { name: 'translation_sources_once', columns: ['path', 'unit', 'version'] },
      },
    }),
  },
  { name: '0013-device-events-in-order', up: orderDeviceEvents },
  { name: '0014-searches-by-query', up: indexSearchesByQuery },
  { name: '0015-searches-by-query-sqlite', up: indexSearchesByQueryOnSqlite },
  { name: '0016-search-totals', up: addSearchTotals },
]

/** Names of all migrations that this version knows. */
export const migrationNames: readonly string[] = migrations.map(({ name }) => name)
