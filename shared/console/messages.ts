import { z } from 'zod'
import { consoleCall, optionalField } from './console-call'

export const messageStates = ['new', 'answered', 'closed'] as const

const id = z.number().int().positive()
const message = z.object({
  id,
  at: z.number(),
  name: z.string(),
  email: z.string(),
  message: z.string(),
  locale: z.string(),
  page: z.string(),
  state: z.enum(messageStates),
  note: z.string(),
})
export type Message = z.infer<typeof message>

const optionalState = optionalField(z.enum(messageStates))

/** Newest first, 50 at a time; `before` is the id of the last one shown. */
export const listMessages = consoleCall({
  method: 'GET',
  path: '/messages',
  input: z.object({
    state: optionalState,
    before: z.coerce.number().int().positive().optional(),
  }),
  output: z.object({
    messages: z.array(message),
    hasMore: z.boolean(),
    counts: z.record(z.enum(messageStates), z.number()),
  }),
})

export const changeMessage = consoleCall({
  method: 'POST',
  path: '/messages/change',
  input: z.object({ id, state: z.enum(messageStates), note: z.string().max(4000) }),
  output: z.object({ changed: z.boolean() }),
})

export const deleteMessage = consoleCall({
  method: 'POST',
  path: '/messages/delete',
  input: z.object({ id }),
  output: z.object({ deleted: z.boolean() }),
})

/** A CSV file of all messages of a state, 10,000 at most. */
export const exportMessages = consoleCall({
  method: 'GET',
  path: '/messages.csv',
  input: z.object({ state: optionalState }),
  output: z.never(),
})
