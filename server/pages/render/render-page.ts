import { randomBytes } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { pages } from '../../../shared/constants'
import type { PageView, RenderHandle, RenderOptions, ViewModule } from '../../../shared/view'
import type { Sink } from '../../cache/serve-answer'
import { hashSource } from './content-security-policy'
import type { DocumentParts } from './document'

/** A page that was complete when its shell was, or one whose islands are late. */
export type Rendering =
  | { kind: 'whole'; html: Buffer }
  | {
      kind: 'streaming'
      nonce: string
      /** Sends everything; resolves to what may be stored, or null when it was cut off. */ pipe: (
        to: Sink,
      ) => Promise<StreamedCopy | null>
    }
export type StreamedCopy = {
  html: Buffer
  /** Policy sources of React's inline scripts. */ scripts: readonly string[]
}

type Island = RenderOptions['island']
export type RenderDependencies = {
  view: ViewModule
  asset: (name: string) => string
  onError: (error: unknown) => void
  /** ms until a page is given up. */ timeout?: number
}

/**
 * Collects the bytes that React writes. Once `target` is set, which answers as `write` of a stream does, they are handed on whenever React has
 * finished a batch; batches end at whole characters. No stream itself: a render needs none of what one does.
 */
class Collector extends EventEmitter implements NodeJS.WritableStream {
  readonly writable = true
  target: ((text: string) => boolean) | null = null
  private chunks: Uint8Array[] = []
  private room = true
  write(chunk: string | Uint8Array): boolean {
    this.chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
    return this.room
  }
  /** What has been collected since it was last taken. */
  take(): Buffer {
    const bytes = Buffer.concat(this.chunks)
    this.chunks = []
    return bytes
  }
  /** Called by React at the end of a batch. */
  flush(): void {
    if (!this.target) return
    const text = this.take().toString()
    if (text !== '') this.room = this.target(text)
  }
  /** The target has room again. */
  drained(): void {
    this.room = true
    this.emit('drain')
  }
  end(): this {
    // After the shell, which is taken out first, has been handed on.
    process.nextTick(() => {
      this.flush()
      this.emit('finish')
    })
    return this
  }
  destroy(error?: Error): this {
    this.emit('close', error)
    return this
  }
}

/** Nonces are cut from a supply: asking for random bytes costs the same for many as for a few. */
const nonceBytes = 16
let supply = Buffer.alloc(0)
function createNonce(): string {
  if (supply.length < nonceBytes) supply = randomBytes(nonceBytes * 256)
  const nonce = supply.toString('base64', 0, nonceBytes)
  supply = supply.subarray(nonceBytes)
  return nonce
}

/**
 * Renders a page. Resolves when its shell is ready, so that status and head are decided before the first byte; rejects
 * when the shell fails or takes longer than 5 s. `signal` aborts: nothing is rendered for a client that has gone.
 */
export function renderPage(
  page: PageView,
  parts: DocumentParts,
  island: Island,
  signal: AbortSignal,
  { view, asset, onError, timeout = pages.renderTimeout }: RenderDependencies,
): Promise<Rendering> {
  const nonce = createNonce()
  return new Promise((resolve, reject) => {
    let complete = false
    let shellDone = false
    let failed = false
    const handle = view.renderPage(page, {
      nonce,
      island,
      asset,
      onShellReady() {
        shellDone = true
        // When nothing is late, React says so before it gives control back.
        queueMicrotask(() => {
          if (!complete)
            return resolve({
              kind: 'streaming',
              nonce,
              pipe: (to) => stream(handle, parts, to, () => complete && !failed, stopTimer),
            })
          stopTimer()
          if (failed) return reject(new Error('a part of the page failed to render'))
          const collector = new Collector()
          collector.on('finish', () =>
            resolve({
              kind: 'whole',
              html: Buffer.concat([
                Buffer.from(parts.start),
                collector.take(),
                Buffer.from(`</div>${parts.afterShell}${parts.end}`),
              ]),
            }),
          )
          handle.pipe(collector)
        })
      },
      onAllReady() {
        complete = true
      },
      onShellError(error) {
        stopTimer()
        reject(error instanceof Error ? error : new Error(String(error)))
      },
      onError(error) {
        failed = true
        if (!signal.aborted) onError(error)
      },
    })
    const abort = (reason: string): void => {
      failed = true
      handle.abort(new Error(reason))
      if (!shellDone) reject(new Error(reason))
    }
    const timer = setTimeout(() => abort('the page was not rendered in time'), timeout)
    const stopTimer = (): void => clearTimeout(timer)
    signal.addEventListener(
      'abort',
      () => {
        stopTimer()
        abort('the client has gone')
      },
      { once: true },
    )
  })
}

/** Sends shell, data block and loader, then whatever is late. */
function stream(
  handle: RenderHandle,
  parts: DocumentParts,
  to: Sink,
  intact: () => boolean,
  stopTimer: () => void,
): Promise<StreamedCopy | null> {
  return new Promise((resolve) => {
    const collector = new Collector()
    let gone = false
    to.onClose(() => {
      gone = true
      stopTimer()
      handle.abort(new Error('the client has gone'))
      resolve(null)
    })
    handle.pipe(collector)
    let sent = `${parts.start}${collector.take().toString()}${parts.afterShell}`
    to.write(sent)
    collector.target = (text) => {
      sent += text
      if (gone || to.write(text)) return true
      to.onDrain(() => collector.drained())
      return false
    }
    collector.on('finish', () => {
      stopTimer()
      if (gone) return
      const tail = `</div>${parts.end}`
      to.write(tail)
      to.end()
      resolve(intact() ? withoutNonce(sent + tail) : null)
    })
  })
}

/** A streamed page as it may be stored: no nonce in it; its inline scripts are allowed by their hashes instead. */
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
