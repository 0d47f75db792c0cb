import Negotiator from 'negotiator'
import { z } from 'zod'
import { defineCall } from '../define-call'

/**
 * `GET /api/sys/config/ip/get-visitor-ip`: what is known of the visitor from the request. Unknown
 * fields are empty.
 */
export const visitorIp = defineCall({
  method: 'GET',
  path: '/sys/config/ip/get-visitor-ip',
  rateLimit: 'other',
  inputFrom: 'query',
  input: z.object({}),
  createHandler:
    () =>
    (_input, { address, headers, location }) => {
      const [language = ''] = new Negotiator({
        headers: { 'accept-language': (headers['accept-language'] ?? '').slice(0, 1000) },
      }).languages()
      return {
        ip: address,
        ua: headers['user-agent'] ?? '',
        language: language === '*' ? '' : language,
        ip_data: location(),
      }
    },
})
