import { once } from 'node:events'
import type { Response } from 'express'
import { success } from '../errors'
import { PlainAnswer } from './ops-call'

/**
 * Sends the parts of a file. The next part is made when the client has read the ones before. When a
 * part fails, the connection is closed without an end, so that the client knows that the file is
 * incomplete.
 */
async function sendParts(response: Response, parts: AsyncIterable<string>): Promise<void> {
  const closed = new Promise((resolve) => response.once('close', resolve))
  for await (const part of parts) {
    if (!response.write(part)) await Promise.race([once(response, 'drain'), closed])
    if (response.closed) return
  }
  response.end()
}

/** Sends the data of a call: in the JSON envelope, or as a file. */
export async function sendOpsAnswer(response: Response, answer: unknown): Promise<void> {
  if (!(answer instanceof PlainAnswer)) return void response.json(success(answer))
  const { headers, type, body } = answer
  response.set(headers).type(type)
  if (typeof body === 'string') return void response.send(body)
  if (response.req.method === 'HEAD') return void response.end()
  await sendParts(response, body)
}
