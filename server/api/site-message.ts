import { z } from 'zod'
import { fields } from '../../shared/constants'
import { storeMessage } from '../db/message-store'
import { defineCall } from './api-call'
import { line, localeField, pageField } from './fields'

const lengthOf = (text: string): number => [...text].length

/** `POST /api/site/message`: what a visitor writes when nobody is there to chat. */
export const siteMessage = defineCall({
  method: 'POST',
  path: '/site/message',
  limit: 'messages',
  from: 'json',
  input: z.object({
    name: line(fields.name).pipe(z.string().min(1, 'a name')),
    email: line(fields.email).pipe(z.email('an e-mail address')),
    message: z
      .string('a text')
      .trim()
      .refine(
        (text) => lengthOf(text) >= 1 && lengthOf(text) <= fields.message && !text.includes('\0'),
        `1 to ${fields.message} characters`,
      ),
    locale: localeField,
    page: pageField,
  }),
  make:
    ({ database }) =>
    async (message) => {
      await storeMessage(database, message)
      return null
    },
})
