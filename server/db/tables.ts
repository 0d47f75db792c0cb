import type { Generated } from 'kysely'

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
  }
  helpful_votes: {
    id: Generated<number>
    at: number
    page: string
    locale: string
    helpful: number
  }
  search_misses: { day: string; locale: string; query: string; count: number }
}
