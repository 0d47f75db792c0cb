import type { Consent } from '../analytics/consent'
import type { Chat, ChatState } from '../chat/chat'
import { createStore } from '../platform/store'

/**
 * The visitor's consent; null until the deferred services have started. Nothing is measured before.
 */
export const consentStore = createStore<Consent | null>(null)
/** The chat; null until the deferred services have started. */
export const chatStore = createStore<Chat | null>(null)
/** Height of the chat widget's frame; 0 without a frame. */
export const chatFrameHeightPx = createStore(0)

/** Replaces the chat where the deferred services cannot start: a visitor can always write. */
export const messagePanelOnly: Chat = {
  state: createStore<ChatState>('none'),
  open: () => 'panel',
  stop: () => undefined,
}
