import { z } from 'zod'
import { chatIn } from '../../content/site-config'
import { defineCall } from '../define-call'
import { localeField } from '../input-fields'

/**
 * `GET /api/sys/config/chat-type?lang=&type=www`: the chat configuration of `content/site.yaml`
 * for a language.
 * The browser takes the first script URL in `chat_info.js`; an empty string means no chat script.
 */
export const chatType = defineCall({
  method: 'GET',
  path: '/sys/config/chat-type',
  rateLimit: 'other',
  inputFrom: 'query',
  input: z.object({
    lang: localeField.prefault('en-US'),
    type: z.literal('www', 'www').default('www'),
  }),
  createHandler:
    ({ store }) =>
    ({ lang }) => {
      const { type, script } = chatIn(store.siteConfig().chat, lang)
      return { chat: type, chat_info: { js: script } }
    },
})
