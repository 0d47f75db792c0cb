import type { Chat } from '../visitor/chat'
import type { Consent } from '../visitor/consent'
import { createStore } from '../visitor/store'

/** The visitor's consent, once the visitor's side has started; nothing is measured before. */
export const consentInUse = createStore<Consent | null>(null)
/** The chat, likewise. */
export const chatInUse = createStore<Chat | null>(null)
