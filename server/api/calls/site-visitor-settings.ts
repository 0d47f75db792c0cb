import { z } from 'zod'
import { visitorSettings } from '../../pages/site-info/visitor-settings'
import { defineCall } from '../define-call'
import { localeField } from '../input-fields'

/**
 * `GET /api/site/visitor-settings?lang=`: which scripts of other sites the page loads, and where
 * consent is needed. Not in the page's data block, because injected HTML can contain another block.
 */
export const siteVisitorSettings = defineCall({
  method: 'GET',
  path: '/site/visitor-settings',
  rateLimit: 'other',
  inputFrom: 'query',
  cacheControl: 'public, max-age=60',
  input: z.object({ lang: localeField }),
  createHandler:
    (services) =>
    ({ lang }) =>
      visitorSettings(services, lang),
})
