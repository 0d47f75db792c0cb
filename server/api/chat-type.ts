import { z } from 'zod'
import type { ContentStore } from '../content/store/store'
import { defineCall } from './api-call'
import { localeField } from './fields'

/** Which chat the site has: `js` is a snippet from which the browser takes the first script address; empty = none. */
export type ChatType = { chat: string; chat_info: { js: string } }

/** Chat configuration of the embedded API: from `content/site.yaml`. */
export function readChatType(store: Pick<ContentStore, 'site'>): ChatType {
  const { type, script } = store.site().chat
  return { chat: type, chat_info: { js: script } }
}

/** `GET /api/sys/config/chat-type?lang=&type=www`. */
export const chatType = defineCall({
  method: 'GET',
  path: '/sys/config/chat-type',
  limit: 'other',
  from: 'query',
  input: z.object({
    lang: localeField.prefault('en-US'),
    type: z.literal('www', 'www').default('www'),
  }),
  make:
    ({ store }) =>
    () =>
      readChatType(store),
})
