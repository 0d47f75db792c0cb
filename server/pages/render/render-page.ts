import { randomBytes } from 'node:crypto'
import { pages } from '../../../shared/constants'
import type { PageView, RenderHandle, RenderOptions, ViewModule } from '../../../shared/view'
import type { StreamSink } from '../../cache/serve-answer'
import { hashSource } from './content-security-policy'
import type { DocumentParts } from './document'
import { OutputCollector } from './output-collector'

/** `whole`: complete when its shell was ready. `streaming`: islands follow later. */
export type Rendering =
  | { kind: 'whole'; html: Buffer }
  | {
      kind: 'streaming'
      nonce: string
      /** Sends the document; resolves to the copy to store, or null when it was cut off. */
      pipe: (to: StreamSink) => Promise<StreamedCopy | null>
    }
export type StreamedCopy = {
  html: Buffer
  /** Sources of React's inline scripts for the content security policy. */
  scripts: readonly string[]
}

export type RenderDependencies = {
  view: ViewModule
  asset: (name: string) => string
  onError: (error: unknown) => void
  timeoutMs?: number
}

/** Random bytes cost about the same for many nonces as for one. */
const nonceBytes = 16
let randomSupply = Buffer.alloc(0)
function createNonce(): string {
  if (randomSupply.length < nonceBytes) randomSupply = randomBytes(nonceBytes * 256)
  const nonce = randomSupply.toString('base64', 0, nonceBytes)
  randomSupply = randomSupply.subarray(nonceBytes)
  return nonce
}

/**
 * Renders a page. Resolves when its shell is ready, so that status and head are decided before the
 * first byte. Rejects when the shell fails, takes longer than `timeoutMs` or `signal` aborts (the
 * client has disconnected).
 */
export function renderPage(
  page: PageView,
  parts: DocumentParts,
  island: RenderOptions['island'],
  signal: AbortSignal,
  { view, asset, onError, timeoutMs = pages.renderTimeoutMs }: RenderDependencies,
): Promise<Rendering> {
  const nonce = createNonce()
  const state = { isShellReady: false, isComplete: false, hasFailed: false }
  return new Promise((resolve, reject) => {
    const handle = view.renderPage(page, {
      nonce,
      island,
      asset,
      onShellReady() {
        state.isShellReady = true
        // Without late parts React calls `onAllReady` before it returns control.
        queueMicrotask(() => {
          if (!state.isComplete) {
            const isIntact = (): boolean => state.isComplete && !state.hasFailed
            const pipe = (to: StreamSink) => stream(handle, parts, to, isIntact, stopTimer)
            return resolve({ kind: 'streaming', nonce, pipe })
          }
          stopTimer()
          if (state.hasFailed) return reject(new Error('a part of the page failed to render'))
          collect(handle, parts, (html) => resolve({ kind: 'whole', html }))
        })
      },
      onAllReady() {
        state.isComplete = true
      },
      onShellError(error) {
        stopTimer()
        reject(error instanceof Error ? error : new Error(String(error)))
      },
      onError(error) {
        state.hasFailed = true
        if (!signal.aborted) onError(error)
      },
    })
    const abort = (reason: string): void => {
      stopTimer()
      state.hasFailed = true
      handle.abort(new Error(reason))
      if (!state.isShellReady) reject(new Error(reason))
    }
    const timer = setTimeout(() => abort('the page was not rendered in time'), timeoutMs)
    const stopTimer = (): void => clearTimeout(timer)
    signal.addEventListener('abort', () => abort('the client has disconnected'), { once: true })
  })
}

/** Collects the document of a page that is complete. */
function collect(
  handle: RenderHandle,
  { start, afterShell, end }: DocumentParts,
  onFinish: (html: Buffer) => void,
): void {
  const collector = new OutputCollector()
  collector.on('finish', () =>
    onFinish(
      Buffer.concat([
        Buffer.from(start),
        collector.take(),
        Buffer.from(`</div>${afterShell}${end}`),
      ]),
    ),
  )
  handle.pipe(collector)
}

/** Sends shell, data block and loader script, then the late parts. */
function stream(
  handle: RenderHandle,
  { start, afterShell, end }: DocumentParts,
  to: StreamSink,
  isIntact: () => boolean,
  stopTimer: () => void,
): Promise<StreamedCopy | null> {
  return new Promise((resolve) => {
    const collector = new OutputCollector()
    let isClosed = false
    to.onClose(() => {
      isClosed = true
      stopTimer()
      handle.abort(new Error('the client has disconnected'))
      resolve(null)
    })
    handle.pipe(collector)
    let sent = `${start}${collector.take().toString()}${afterShell}`
    to.write(sent)
    collector.target = (text) => {
      sent += text
      if (isClosed || to.write(text)) return true
      to.onDrain(() => collector.drained())
      return false
    }
    collector.on('finish', () => {
      stopTimer()
      if (isClosed) return
      const tail = `</div>${end}`
      to.write(tail)
      to.end()
      resolve(isIntact() ? withoutNonce(sent + tail) : null)
    })
  })
}

/** The copy of a streamed page to store: without its nonce; hashes allow its inline scripts. */
export function withoutNonce(html: string): StreamedCopy {
  const scripts = new Set<string>()
  const text = html.replace(
    /<script nonce="[^"]*"([^>]*)>([\s\S]*?)<\/script>/g,
    (_, attributes: string, body: string) => {
      if (body !== '') scripts.add(hashSource(body))
      return `<script${attributes}>${body}</script>`
    },
  )
  return { html: Buffer.from(text), scripts: [...scripts] }
}
