import type { Chat } from '../chat/chat'
import type { Consent } from '../analytics/consent'
import { createStore } from '../platform/store'

/** The visitor's consent, once the visitor's side has started; nothing is measured before. */
export const consentInUse = createStore<Consent | null>(null)
/** The chat, likewise. */
export const chatInUse = createStore<Chat | null>(null)
