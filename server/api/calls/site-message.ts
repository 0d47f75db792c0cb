import { z } from 'zod'
import { maxFieldLengths } from '../../../shared/constants'
import { storeMessage } from '../../db/message-store'
import { defineCall } from '../define-call'
import { lengthInCharacters, localeField, pageField, singleLine } from '../input-fields'

/** `POST /api/site/message`: stores a message from the contact panel, which replaces a chat. */
export const siteMessage = defineCall({
  method: 'POST',
  path: '/site/message',
  rateLimit: 'messages',
  inputFrom: 'json',
  input: z.object({
    name: singleLine(maxFieldLengths.name).pipe(z.string().min(1, 'a name')),
    email: singleLine(maxFieldLengths.email).pipe(z.email('an e-mail address')),
    message: z
      .string('a text')
      .trim()
      .refine(
        (text) =>
          text !== '' &&
          lengthInCharacters(text) <= maxFieldLengths.message &&
          !text.includes('\0'),
        `1 to ${maxFieldLengths.message} characters`,
      ),
    locale: localeField,
    page: pageField,
  }),
  createHandler:
    ({ database, reserveRows }) =>
    async (message, { address }) => {
      await reserveRows('messages', address, JSON.stringify(message))
      await storeMessage(database, message)
      return null
    },
})
