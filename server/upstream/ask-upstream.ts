import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import { createProxyMiddleware } from 'http-proxy-middleware'
import { createUpstreamAgent } from './upstream-agent'
import type { UpstreamPlace } from './answer-headers'

/**
 * Sends a request on and answers the head of the upstream's answer. Rejects when none can be had, and with the signal's reason
 * as soon as that is given; the outgoing request is ended then. The request's `url` and `headers` are sent as they are.
 */
export type AskUpstream = (request: IncomingMessage, response: ServerResponse, signal: AbortSignal) => Promise<IncomingMessage>

type Asking = { sent: (outgoing: ClientRequest) => void; answered: (answer: IncomingMessage) => void; failed: (error: unknown) => void }

/**
 * http-proxy-middleware moves the bytes of the request; what it would do with answers and failures by itself (no timeouts, texts that name
 * hosts, headers as they come) is not used: `selfHandleResponse`, and an error handler that only reports.
 */
export function createAskUpstream({ url, base }: UpstreamPlace): { ask: AskUpstream; close: () => void } {
  const asking = new WeakMap<IncomingMessage, Asking>()
  const agent = createUpstreamAgent(url.protocol === 'https:')
  const forward = createProxyMiddleware<IncomingMessage, ServerResponse>({
    target: url.origin + base,
    agent,
    changeOrigin: true,
    // The path is sent as it is: the parser behind this option's default would escape and reorder parts of it.
    toProxy: true,
    selfHandleResponse: true,
    on: {
      proxyReq: (outgoing, request) => asking.get(request)?.sent(outgoing),
      proxyRes: (answer, request) => asking.get(request)?.answered(answer),
      error: (error, request) => asking.get(request)?.failed(error),
    },
  })

  const ask: AskUpstream = (request, response, signal) =>
    new Promise((resolve, reject) => {
      let outgoing: ClientRequest | undefined
      let over = false
      const end = (settle: () => void): void => {
        if (over) return
        over = true
        signal.removeEventListener('abort', onAbort)
        settle()
      }
      const failed = (error: unknown): void => end(() => {
        outgoing?.destroy()
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
        answered: (answer) => end(() => resolve(answer)),
        failed,
      })
      if (signal.aborted) onAbort()
      else void forward(request, response, failed)
    })
  return { ask, close: () => agent.destroy() }
}
