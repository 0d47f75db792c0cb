import { z } from 'zod'
import { defineCall } from './api-call'
import { countryOf } from './country'
import { localeField } from './fields'

/** `GET /api/third/chat/choose?ip=&lang=`: the chat provider for a visitor's country; without `ip` the asking address counts. */
export const chatChoose = defineCall({
  method: 'GET',
  path: '/third/chat/choose',
  limit: 'other',
  from: 'query',
  input: z.object({
    ip: z.union([z.literal(''), z.ipv4(), z.ipv6()], 'an IP address').default(''),
    lang: localeField.prefault('zh'),
  }),
  make:
    ({ store }) =>
    ({ ip }, { address }) => {
      const { provider, provider_by_country } = store.site().chat
      return { type: provider_by_country[countryOf(ip || address)] ?? provider }
    },
})
