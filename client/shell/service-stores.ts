import type { Consent } from '../analytics/consent'
import type { Chat } from '../chat/chat'
import { createStore } from '../platform/store'

/**
 * The visitor's consent; null until the deferred services have started. Nothing is measured before.
 */
export const consentStore = createStore<Consent | null>(null)
/** The chat; null until the deferred services have started. */
export const chatStore = createStore<Chat | null>(null)
