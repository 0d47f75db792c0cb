import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import { createProxyMiddleware } from 'http-proxy-middleware'
import { createUpstreamAgent } from './upstream-agent'
import type { UpstreamPlace } from './answer-headers'

/**
 * Sends a request on and answers the head of the upstream's answer. Rejects when none can be had, and with the signal's reason
 * as soon as that is given; the outgoing request is ended then. The request's `url` and `headers` are sent as they are.
 */
export type AskUpstream = (
  request: IncomingMessage,
  signal: AbortSignal,
) => Promise<IncomingMessage>

type Asking = {
  sent: (outgoing: ClientRequest) => void
  answered: (answer: IncomingMessage) => void
  failed: (error: unknown) => void
}

/**
 * http-proxy-middleware sends the request; what it would do with answers and failures by itself (no timeouts, texts that name
 * hosts, headers as they come) is not used: `selfHandleResponse`, and an error handler that only reports. It also cuts the visitor's connection when
 * the upstream's answer breaks off, so it is given a placeholder stream instead of the visitor's response. The visitor then gets an error, or a second try.
 */
export function createAskUpstream({ url, base }: UpstreamPlace): {
  ask: AskUpstream
  close: () => void
} {
  const asking = new WeakMap<IncomingMessage, Asking>()
  const agent = createUpstreamAgent(url.protocol === 'https:')
  const forward = createProxyMiddleware<IncomingMessage, ServerResponse>({
    target: url.origin + base,
    agent,
    changeOrigin: true,
    selfHandleResponse: true,
    on: {
      proxyReq: (outgoing, request) => asking.get(request)?.sent(outgoing),
      proxyRes: (answer, request) => asking.get(request)?.answered(answer),
      error: (error, request) => asking.get(request)?.failed(error),
    },
  })

  const ask: AskUpstream = (request, signal) =>
    new Promise((resolve, reject) => {
      const standIn = new PassThrough()
      let outgoing: ClientRequest | undefined
      let over = false
      const end = (settle: () => void): void => {
        if (over) return
        over = true
        signal.removeEventListener('abort', onAbort)
        settle()
      }
      const failed = (error: unknown): void =>
        end(() => {
          outgoing?.destroy()
          standIn.destroy()
          reject(error)
        })
      const onAbort = (): void => failed(signal.reason)
      signal.addEventListener('abort', onAbort)
      asking.set(request, {
        sent(made) {
          outgoing = made
          if (over) made.destroy()
          // For instance a 101 that nobody asked for: the connection ends without an answer and without an error.
          made.once('close', () => failed(new Error('closed without an answer')))
        },
        answered: (answer) =>
          end(() => {
            answer.once('close', () => standIn.destroy())
            resolve(answer)
          }),
        failed,
      })
      if (signal.aborted) onAbort()
      // Of a response the proxy uses only what every stream has, as long as it neither answers nor reports errors itself.
      else void forward(request, standIn as unknown as ServerResponse, failed)
    })
  return { ask, close: () => agent.destroy() }
}
