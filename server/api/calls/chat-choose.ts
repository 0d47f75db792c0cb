import { z } from 'zod'
import { defineCall } from '../define-call'
import { localeField } from '../input-fields'

/**
 * `GET /api/third/chat/choose?ip=&lang=`: the chat provider for a visitor's country. Without `ip`
 * the address of the request counts.
 */
export const chatChoose = defineCall({
  method: 'GET',
  path: '/third/chat/choose',
  rateLimit: 'other',
  inputFrom: 'query',
  input: z.object({
    ip: z.union([z.literal(''), z.ipv4(), z.ipv6()], 'an IP address').default(''),
    lang: localeField.prefault('zh'),
  }),
  createHandler:
    ({ store, locate }) =>
    ({ ip }, { location }) => {
      const { provider, provider_by_country } = store.siteConfig().chat
      const { country } = ip ? locate(ip) : location()
      return { type: provider_by_country[country] ?? provider }
    },
})
