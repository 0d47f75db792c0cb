import { z } from 'zod'
import { readBaseInfo } from '../../content/store/read-base-info'
import { defineCall } from '../define-call'
import { localeField } from '../input-fields'

/** `GET /api/home/base-info?lang=&type=home`: links, home page titles and statistics snippets. */
export const baseInfo = defineCall({
  method: 'GET',
  path: '/home/base-info',
  rateLimit: 'other',
  inputFrom: 'query',
  input: z.object({
    lang: localeField.prefault('en'),
    type: z.literal('home', 'home').default('home'),
  }),
  createHandler:
    ({ store }) =>
    ({ lang }) =>
      readBaseInfo(store, lang),
})
