import { z } from 'zod'
import { analytics } from '../../../shared/constants'
import { createEventStore } from '../../db/event-store'
import { SiteError } from '../../errors'
import { defineCall, parseInput } from '../define-call'
import { batchSchema, readEvents } from '../visitor/event-batch'
import { tryParseJson } from '../parse-json'

/**
 * `POST /api/sys/config/event`: an encrypted batch of 1 to 20 analytics events. Responds when all
 * accepted events are on disk.
 */
export const event = defineCall({
  method: 'POST',
  path: '/sys/config/event',
  rateLimit: 'events',
  inputFrom: 'form',
  // A missing part fails like any other bad envelope.
  input: z.object({ _t: z.string().default(''), _a: z.string().default('') }),
  createHandler: ({ keyring, database, reserveRows }) => {
    const storeEvents = createEventStore(database)
    return async (parts, { address }) => {
      const text = await keyring.open(parts)
      if (Buffer.byteLength(text) > analytics.maxBatchBytes) throw new SiteError('bodyTooLarge')
      const { events, refused, context } = readEvents(parseInput(batchSchema, tryParseJson(text)))
      await reserveRows('events', address, text)
      await storeEvents(events, context)
      return { accepted: events.length, refused }
    }
  },
})
