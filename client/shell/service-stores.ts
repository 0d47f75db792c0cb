import type { Consent } from '../analytics/consent'
import type { Chat, ChatState } from '../chat/chat'
import { createStore } from '../platform/store'

/**
 * The visitor's consent; null until the deferred services have started. Nothing is measured before.
 */
export const consentStore = createStore<Consent | null>(null)
/** The chat; null until the deferred services have started. */
export const chatStore = createStore<Chat | null>(null)
/** Height of the chat widget's own button (px); 0 without one and in an open conversation. */
export const chatButtonHeightPx = createStore(0)

/** Replaces the chat where the deferred services cannot start: a visitor can always write. */
export const messagePanelOnly: Chat = {
  state: createStore<ChatState>('none'),
  open: () => 'panel',
  stop: () => undefined,
}
