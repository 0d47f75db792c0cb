import { z } from 'zod'
import { batch } from '../../shared/constants'
import { createEventStore } from '../db/event-store'
import { SiteError } from '../errors'
import { defineCall, parseInput } from './api-call'
import { batchSchema, readEvents } from './event-batch'
import { tryJson } from './read-body'

/** `POST /api/sys/config/event`: an encrypted batch of 1 to 20 analytics events. Answers when all that it accepted is on disk. */
export const event = defineCall({
  method: 'POST',
  path: '/sys/config/event',
  limit: 'events',
  from: 'form',
  // A missing part is one more way in which an envelope can be wrong, and answered like the others.
  input: z.object({ _t: z.string().default(''), _a: z.string().default('') }),
  make: ({ keyring, database }) => {
    const storeEvents = createEventStore(database)
    return async (parts) => {
      const text = await keyring.open(parts)
      if (Buffer.byteLength(text) > batch.plainBytes) throw new SiteError('bodyTooLarge')
      const { events, refused, context } = readEvents(parseInput(batchSchema, tryJson(text)))
      await storeEvents(events, context)
      return { accepted: events.length, refused }
    }
  },
})
