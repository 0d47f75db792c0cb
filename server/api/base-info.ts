import { z } from 'zod'
import { readBaseInfo } from '../content/store/read-base-info'
import { defineCall } from './api-call'
import { localeField } from './fields'

/** `GET /api/home/base-info?lang=&type=home`. */
export const baseInfo = defineCall({
  method: 'GET',
  path: '/home/base-info',
  limit: 'other',
  from: 'query',
  input: z.object({
    lang: localeField.prefault('en'),
    type: z.literal('home', 'home').default('home'),
  }),
  make:
    ({ store }) =>
    ({ lang }) =>
      readBaseInfo(store, lang),
})
