import { z } from 'zod'
import { storeVote } from '../db/message-store'
import { defineCall } from './api-call'
import { localeField, pageField } from './fields'

/** `POST /api/site/helpful`: a reader's answer to "was this helpful?". */
export const siteHelpful = defineCall({
  method: 'POST',
  path: '/site/helpful',
  limit: 'messages',
  from: 'json',
  input: z.object({ page: pageField, locale: localeField, helpful: z.boolean('true or false') }),
  make:
    ({ database }) =>
    async (vote) => {
      await storeVote(database, vote)
      return null
    },
})
