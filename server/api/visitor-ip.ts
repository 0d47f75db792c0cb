import Negotiator from 'negotiator'
import { z } from 'zod'
import { defineCall } from './api-call'
import { countryOf } from './country'

/** `GET /api/sys/config/ip/get-visitor-ip`: what a request tells of its visitor; unknown parts are empty, and nothing is finer than the country. */
export const visitorIp = defineCall({
  method: 'GET',
  path: '/sys/config/ip/get-visitor-ip',
  limit: 'other',
  from: 'query',
  input: z.object({}),
  make:
    () =>
    (_input, { address, headers }) => {
      const [language = ''] = new Negotiator({
        headers: { 'accept-language': (headers['accept-language'] ?? '').slice(0, 1000) },
      }).languages()
      return {
        ip: address,
        ua: headers['user-agent'] ?? '',
        language: language === '*' ? '' : language,
        ip_data: { timezone: '', country: countryOf(address), region: '', city: '' },
      }
    },
})
