import { sql, type RawBuilder } from 'kysely'
import type { Dialect } from './migration-steps'
import type { Tables } from './tables'

/** A table that holds a device id or an email address, and the condition of a person's rows. */
export type PersonalTable = {
  table: keyof Tables
  /**
   * Columns that identify a row. An index has them after the column of the condition, so a batch
   * that continues after a key reads only its own rows.
   */
  key: readonly string[]
  where: RawBuilder<unknown>
}

export const isEmail = (subject: string): boolean => subject.includes('@')

/** Within equal device ids SQLite's indexes are in the order of its row numbers. */
const eventKey: Readonly<Record<Dialect, string>> = { sqlite: 'rowid', postgres: 'id' }
export function deviceEvents(device: string, dialect: Dialect): PersonalTable {
  return { table: 'events', key: [eventKey[dialect]], where: sql`device_id = ${device}` }
}

function deviceTables(device: string, dialect: Dialect): PersonalTable[] {
  const where = sql`device_id = ${device}`
  return [
    deviceEvents(device, dialect),
    { table: 'visitor_days', key: ['start', 'device_id'], where },
    { table: 'sources', key: ['id'], where },
    { table: 'referrals', key: ['device_id', 'code'], where },
    { table: 'fingerprints', key: ['device_id', 'log_type', 'hash'], where },
  ]
}
/** Rows that others reference come last. */
function emailTables(email: string): PersonalTable[] {
  const where = sql`lower(email) = ${email.toLowerCase()}`
  const accounts = sql`select id from accounts where ${where}`
  return [
    { table: 'tokens', key: ['hash'], where: sql`account_id in (${accounts})` },
    { table: 'accounts', key: ['id'], where },
    { table: 'messages', key: ['id'], where },
  ]
}

/** The tables with rows of a person, without the contexts of events. */
export const personalTables = (subject: string, dialect: Dialect): readonly PersonalTable[] =>
  isEmail(subject) ? emailTables(subject) : deviceTables(subject, dialect)
