import { get, createServer, type IncomingMessage } from 'node:http'
import { get as getSecure } from 'node:https'
import { createServer as createTcpServer, type Server } from 'node:net'
import { afterEach, describe, expect, it, jest } from '@jest/globals'
import { bufferResponse } from '../../../server/api/upstream/buffer-response'
import {
  connectTimeoutCode,
  createUpstreamAgent,
} from '../../../server/api/upstream/upstream-agent'
import { listen } from '../../../server/http/listen'
import { upstream } from '../../../shared/constants'

let server: Server | null = null
afterEach(() => new Promise((resolve) => server?.close(resolve)))

describe('a response that is larger than what is buffered', () => {
  const body = Buffer.alloc(upstream.maxBufferedBytes + 1, 'x')

  async function fetchJson(): Promise<IncomingMessage> {
    const http = (server = createServer((_request, response) => {
      response.setHeader('Content-Type', 'application/json')
      response.end(body)
    }))
    const port = await listen(http, { port: 0, host: '127.0.0.1' })
    return new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port, agent: false }, resolve).on('error', reject)
    })
  }
  const { signal } = new AbortController()

  it('is streamed: what was read of it comes first, and then the rest', async () => {
    const response = await fetchJson()
    const buffered = await bufferResponse(response, signal, false)
    if (buffered.isComplete) throw new Error('the response was buffered')
    const chunks = [...buffered.chunks]
    for await (const chunk of response) chunks.push(chunk as Buffer)
    expect(Buffer.concat(chunks).equals(body)).toBe(true)
  })

  it('is refused when it is an error', async () => {
    const response = await fetchJson()
    await expect(bufferResponse(response, signal, true)).rejects.toThrow(
      'an error response is too large',
    )
    expect(response.destroyed).toBe(true)
  })
})

it('a connection whose TLS handshake gets no answer is given up after a second', async () => {
  const tcp = (server = createTcpServer((socket) => void socket.on('error', () => undefined)))
  const port = await listen(tcp, { port: 0, host: '127.0.0.1' })
  const accepted = new Promise((resolve) => tcp.once('connection', resolve))
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] })
  const agent = createUpstreamAgent(true)
  const failed = new Promise((resolve) => {
    getSecure({ host: '127.0.0.1', port, agent }).on('error', resolve)
  })
  await accepted
  jest.advanceTimersByTime(upstream.connectTimeoutMs)
  jest.useRealTimers()
  expect(await failed).toMatchObject({ code: connectTimeoutCode })
  agent.destroy()
})
