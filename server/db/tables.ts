import type { Generated } from 'kysely'

/**
 * The tables of the site's own store, the same on SQLite and PostgreSQL. Moments are milliseconds since 1970; JSON is kept as text, so that both
 * give back what was written. Nothing here holds a visitor's address.
 */
export type Tables = {
  /** Key pairs of the envelope and other secrets of the site; machines that share the database share them. */
  secrets: { name: string; kind: 'envelope-key' | 'secret'; value: string; created_at: number }
  accounts: {
    id: string
    provider: string
    /** The provider's own number of the account. */
    subject: string
    email: string
    name: string
    picture: string
    language: string
    /** As they were when the account was made. */
    invite_code: string
    source: string
    referer: string
    created_at: number
    signed_in_at: number
  }
  /** One-time tokens by their SHA-256: who reads the table can redeem nothing. */
  tokens: { hash: string; account_id: string; expires_at: number; redeemed_at: number | null }
  /** Nonces that were used; an unused one is known by its signature alone. */
  used_nonces: { hash: string; expires_at: number }
  events: {
    id: string
    received_at: number
    /** The visitor's clock. */
    ts: number
    kind: string
    op: number
    locale: string
    device_id: string
    url: string
    /** The event's other fields, as JSON. */
    data: string
    context_id: string
  }
  /** What the events of a device have in common, once a day and value. */
  event_contexts: { id: string; received_at: number; data: string }
  /** A referral code once a device. */
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
  /** A fingerprint once a device, kind and value. */
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
