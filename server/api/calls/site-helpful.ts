import { z } from 'zod'
import { storeVote } from '../../db/message-store'
import { defineCall } from '../define-call'
import { localeField, pageField } from '../input-fields'

/** `POST /api/site/helpful`: stores a reader's answer to "was this helpful?". */
export const siteHelpful = defineCall({
  method: 'POST',
  path: '/site/helpful',
  rateLimit: 'visitor',
  inputFrom: 'json',
  input: z.object({ page: pageField, locale: localeField, helpful: z.boolean('true or false') }),
  createHandler:
    ({ database, reserveRows }) =>
    async (vote, { address }) => {
      await reserveRows('visitor', address, JSON.stringify(vote))
      await storeVote(database, vote)
      return null
    },
})
