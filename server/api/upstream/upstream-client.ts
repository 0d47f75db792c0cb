import type { ClientRequest, IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { PassThrough, Readable } from 'node:stream'
import { createProxyMiddleware, type RequestHandler } from 'http-proxy-middleware'
import { createUpstreamAgent } from './upstream-agent'

/** Where the operator's backend is. */
export type UpstreamTarget = {
  /** `API_UPSTREAM`. */
  url: URL
  /** The path of `url` without a trailing slash. */
  basePath: string
}

/** A request as it is sent to the upstream, with its whole body. */
export type UpstreamRequest = {
  method: string
  /** Path below the upstream's base path, and query. */
  url: string
  headers: IncomingHttpHeaders
  body: Buffer
}

/** The operator's backend, with its connections. */
export type Upstream = {
  target: UpstreamTarget
  /**
   * Sends a request and resolves with the response when its head has arrived. Rejects when there is
   * none, and with the signal's reason as soon as the signal is aborted, which also ends the
   * outgoing request.
   */
  send: (request: UpstreamRequest, signal: AbortSignal) => Promise<IncomingMessage>
  close: () => void
}

/** Callbacks for the events of a request in flight. */
type RequestEvents = {
  onSent: (outgoing: ClientRequest) => void
  onResponse: (upstreamResponse: IncomingMessage) => void
  onError: (error: Error) => void
}
type Proxy = RequestHandler

export const parseUpstreamTarget = (address: string): UpstreamTarget => ({
  url: new URL(address),
  basePath: new URL(address).pathname.replace(/\/$/, ''),
})

const toError = (reason: unknown): Error =>
  reason instanceof Error ? reason : new Error('the request failed', { cause: reason })

/** The reason of an aborted signal as an Error. */
export const abortReason = (signal: AbortSignal): Error => toError(signal.reason)

/**
 * Connects to the backend at `address` with http-proxy-middleware. Its own handling of responses
 * and failures is not used, because it has no timeouts, names hosts in its messages and passes all
 * headers on: `selfHandleResponse` is on, and the error handler only reports.
 */
export function createUpstream(address: string): Upstream {
  const target = parseUpstreamTarget(address)
  const inFlight = new WeakMap<IncomingMessage, RequestEvents>()
  const agent = createUpstreamAgent(target.url.protocol === 'https:')
  const proxy: Proxy = createProxyMiddleware({
    target: target.url.origin + target.basePath,
    agent,
    changeOrigin: true,
    selfHandleResponse: true,
    on: {
      proxyReq: (outgoing, request) => inFlight.get(request)?.onSent(outgoing),
      proxyRes: (upstreamResponse, request) => inFlight.get(request)?.onResponse(upstreamResponse),
      error: (error, request) => inFlight.get(request)?.onError(error),
    },
  })
  return {
    target,
    send(request, signal) {
      const incoming = toIncomingMessage(request)
      return sendThroughProxy(proxy, incoming, signal, (events) => inFlight.set(incoming, events))
    },
    close: () => agent.destroy(),
  }
}

/**
 * The request in the form that the proxy takes: a stream of the body, with the members of an
 * incoming request that the proxy reads.
 */
const toIncomingMessage = ({ body, ...head }: UpstreamRequest): IncomingMessage =>
  // A cast because the proxy uses no other member of a request that is not upgraded.
  Object.assign(Readable.from(body.length > 0 ? [body] : []), head) as unknown as IncomingMessage

function sendThroughProxy(
  proxy: Proxy,
  request: IncomingMessage,
  signal: AbortSignal,
  listen: (events: RequestEvents) => void,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // The proxy destroys the response that it is given when the upstream breaks off. This stream
    // takes the place of the visitor's response, which is still needed for an error or a second
    // attempt.
    const placeholder = new PassThrough()
    let outgoing: ClientRequest | undefined
    let isSettled = false
    const settle = (action: () => void): void => {
      if (isSettled) return
      isSettled = true
      signal.removeEventListener('abort', onAbort)
      action()
    }
    const onError = (error: Error): void =>
      settle(() => {
        outgoing?.destroy()
        placeholder.destroy()
        reject(error)
      })
    const onAbort = (): void => onError(abortReason(signal))
    signal.addEventListener('abort', onAbort)
    listen({
      onSent(clientRequest) {
        outgoing = clientRequest
        if (isSettled) clientRequest.destroy()
        // An unexpected 101, for example, closes the connection without a response and without an
        // error.
        clientRequest
          .once('error', onError)
          .once('close', () => onError(new Error('closed without an answer')))
      },
      onResponse: (upstreamResponse) =>
        settle(() => {
          upstreamResponse.once('close', () => placeholder.destroy())
          // A server may wrongly send a body with its answer to HEAD. On a connection that is used
          // again, that body would be read as the answer to the next request.
          const { socket } = upstreamResponse
          if (request.method === 'HEAD') upstreamResponse.once('end', () => socket.destroy())
          resolve(upstreamResponse)
        }),
      onError,
    })
    if (signal.aborted) onAbort()
    // A cast because the proxy calls only methods of a stream as long as it neither responds nor
    // reports errors by itself.
    else
      void proxy(request, placeholder as unknown as ServerResponse, (error) =>
        onError(toError(error)),
      )
  })
}
