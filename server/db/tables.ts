import type { Generated } from 'kysely'
import type { HostName } from '../../shared/i18n/locales'

export type MessageState = 'new' | 'answered' | 'closed'
export type EventKeyKind = 'page' | 'referrer' | 'campaign' | 'download' | 'error' | 'search-click'
export type EventCountRow = {
  metric: string
  start: number
  locale: string
  country: string
  device: string
  count: number
}

/**
 * The tables of the site's database, the same on SQLite and PostgreSQL. Times are milliseconds
 * since 1970. JSON is stored as text, so that both return exactly what was written. No column holds
 * a visitor's address.
 */
export type Tables = {
  /** Private keys of envelopes and other secrets. Machines that share the database share them. */
  secrets: { name: string; kind: 'envelope-key' | 'secret'; value: string; created_at: number }
  accounts: {
    id: string
    provider: string
    /** The provider's id of the account. */
    subject: string
    email: string
    name: string
    picture: string
    language: string
    /** From here to `referer`: as they were when the account was created. */
    invite_code: string
    source: string
    referer: string
    created_at: number
    signed_in_at: number
    /** When the application first redeemed a token; null when it never did. */
    used_at: number | null
  }
  /** One-time tokens by their SHA-256, so that reading the table allows no redemption. */
  tokens: { hash: string; account_id: string; expires_at: number; redeemed_at: number | null }
  /** Used nonces. Unused ones are not stored: their signature proves them. */
  used_nonces: { hash: string; expires_at: number }
  events: {
    id: string
    received_at: number
    /** Time by the visitor's clock. */
    ts: number
    kind: string
    op: number
    locale: string
    device_id: string
    url: string
    /** The other fields of the event, as JSON. */
    data: string
    context_id: string
  }
  /** What the events of a device have in common, as JSON. One row per day and value. */
  event_contexts: { id: string; received_at: number; data: string }
  /** One row per device and referral code. */
  referrals: { device_id: string; code: string; at: number }
  sources: {
    id: Generated<number>
    at: number
    device_id: string
    referer: string
    page_url: string
    source: string
    callback: string
    utm_source: string
    utm_medium: string
    utm_term: string
    utm_content: string
    utm_campaign: string
    bd_vid: string
  }
  /** One row per device, kind and value. */
  fingerprints: {
    device_id: string
    log_type: string
    hash: string
    at: number
    data: string
    base: string
  }
  messages: {
    id: Generated<number>
    at: number
    name: string
    email: string
    message: string
    locale: string
    page: string
    state: Generated<MessageState>
    /** What operators wrote about it. */
    note: Generated<string>
  }
  helpful_votes: {
    id: Generated<number>
    at: number
    page: string
    locale: string
    helpful: number
  }
  /** Web vitals of one page view: durations in ms; null where the browser measured nothing. */
  vitals: {
    id: Generated<number>
    at: number
    route: string
    locale: string
    lcp: number | null
    inp: number | null
    cls: number | null
    fcp: number | null
    ttfb: number | null
  }
  /** Searches with results by day and words; `results` is the newest number. */
  search_terms: { day: string; locale: string; query: string; count: number; results: number }
  /** Searches without results. */
  search_misses: { day: string; locale: string; query: string; count: number }
  /** Sums of the searches of all stored days; triggers update them (`search-totals.ts`). */
  search_totals: { locale: string; query: string; found: number; missed: number }
  /** Tasks that one process of all machines does at a time. */
  leases: { name: string; holder: string; expires_at: number }
  /** Pages as IndexNow was told last: a hash, and the languages that they have, comma separated. */
  announced_pages: { page: string; state: string; locales: string }
  /** URLs that are or were announced; `batch_id` is null while a URL waits for its batch. */
  announcements: {
    id: Generated<number>
    at: number
    host: HostName
    url: string
    batch_id: number | null
  }
  announcement_batches: {
    id: Generated<number>
    at: number
    host: HostName
    /** Number of its URLs. */
    urls: number
    attempts: number
    /** When to try again; null once it was accepted or given up. */
    next_at: number | null
    /** Status of the last answer; null when there was none. */
    status: number | null
    error: string
  }
  /** Sessions of the console by the HMAC of their secret with OPS_TOKEN. */
  operator_sessions: { id: string; operator: string; created_at: number; expires_at: number }
  /** Counts of events by hour and by day (UTC, `start` in ms); `country` may be empty. */
  event_hours: EventCountRow
  event_days: EventCountRow
  /** The 75th percentiles of recent web vitals; renewed as a whole every few minutes. */
  route_vitals: {
    route: string
    locale: string
    visits: number
    lcp: number | null
    inp: number | null
    cls: number | null
  }
  /** The most frequent pages, referrers and so on of a day. */
  event_keys: { kind: EventKeyKind; start: number; key: string; locale: string; count: number }
  /** Errors of visitors' browsers, by a hash of type, trigger and message. */
  error_groups: {
    id: string
    error_type: string
    what: string
    message: string
    first_at: number
    last_at: number
  }
  /** Devices of a day, as long as the day is counted; `steps` are bits of `visitorSteps`. */
  visitor_days: { start: number; device_id: string; steps: number }
  /** The last row of a table that is counted. */
  count_cursors: { name: string; at: number; id: string }
  /** Missing pages that browsers asked for, and redirects, by day and address. */
  address_counts: {
    day: string
    host: HostName
    path: string
    status: number
    referrer: string
    count: number
  }
  /**
   * English texts that translations were made from. `version` is what a translation records of its
   * source: the hash of an interface text, the day of an article's last change.
   */
  translation_sources: { path: string; unit: string; version: string; text: string; at: number }
  /** When `db:prune` deleted rows of a table last, and how many. */
  prune_results: { table_name: string; at: number; deleted: number }
}
