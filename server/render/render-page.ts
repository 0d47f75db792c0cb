import { randomBytes } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { pages } from '../../shared/constants'
import type { PageView, RenderHandle, RenderOptions, ViewModule } from '../../shared/view'
import type { Sink } from '../cache/serve-answer'
import { hashSource } from './content-security-policy'
import type { DocumentParts } from './document'

/** A page that was complete when its shell was, or one whose islands are late. */
export type Rendering =
  | { kind: 'whole'; html: Buffer }
  | { kind: 'streaming'; nonce: string; /** Sends everything; resolves to what may be stored, or null when it was cut off. */ pipe: (to: Sink) => Promise<StreamedCopy | null> }
export type StreamedCopy = { html: Buffer; /** Policy sources of React's inline scripts. */ scripts: readonly string[] }

type Island = RenderOptions['island']
export type RenderDependencies = { view: ViewModule; asset: (name: string) => string; onError: (error: unknown) => void; /** ms until a page is given up. */ timeout?: number }

/** Collects React's chunks; hands them on once `target` is set, which answers as `write` of a stream does. No stream itself: a render needs none of what one does. */
class Collector extends EventEmitter implements NodeJS.WritableStream {
  readonly writable = true
  readonly chunks: Buffer[] = []
  target: ((chunk: Buffer) => boolean) | null = null
  write(chunk: Uint8Array | string): boolean {
    // React fills a new piece for each: this one is ours.
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    this.chunks.push(bytes)
    return this.target ? this.target(bytes) : true
  }
  end(): this {
    // After the shell, which is taken out first, has been handed on.
    process.nextTick(() => this.emit('finish'))
    return this
  }
  destroy(error?: Error): this {
    this.emit('close', error)
    return this
  }
}

/**
 * Renders a page. Resolves when its shell is ready, so that status and head are decided before the first byte; rejects
 * when the shell fails or takes longer than 5 s. `signal` aborts: nothing is rendered for a client that has gone.
 */
export function renderPage(page: PageView, parts: DocumentParts, island: Island, signal: AbortSignal, { view, asset, onError, timeout = pages.renderTimeout }: RenderDependencies): Promise<Rendering> {
  const nonce = randomBytes(16).toString('base64')
  return new Promise((resolve, reject) => {
    let complete = false
    let shellDone = false
    let failed = false
    const handle = view.renderPage(page, {
      nonce, island, asset,
      onShellReady() {
        shellDone = true
        // When nothing is late, React says so before it gives control back.
        queueMicrotask(() => {
          if (!complete) return resolve({ kind: 'streaming', nonce, pipe: (to) => stream(handle, parts, to, () => complete && !failed, stopTimer) })
          stopTimer()
          if (failed) return reject(new Error('a part of the page failed to render'))
          const collector = new Collector()
          collector.on('finish', () => resolve({ kind: 'whole', html: Buffer.concat([Buffer.from(parts.start), ...collector.chunks, Buffer.from(`</div>${parts.afterShell}${parts.end}`)]) }))
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
    signal.addEventListener('abort', () => {
      stopTimer()
      abort('the client has gone')
    }, { once: true })
  })
}

/** Sends shell, data block and loader, then whatever is late. */
function stream(handle: RenderHandle, parts: DocumentParts, to: Sink, intact: () => boolean, stopTimer: () => void): Promise<StreamedCopy | null> {
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
    const shell = Buffer.concat(collector.chunks.splice(0))
    to.write(parts.start)
    to.write(shell)
    to.write(parts.afterShell)
    collector.target = (chunk) => {
      if (gone || to.write(chunk)) return true
      to.onDrain(() => collector.emit('drain'))
      return false
    }
    collector.on('finish', () => {
      stopTimer()
      if (gone) return
      const tail = `</div>${parts.end}`
      to.write(tail)
      to.end()
      resolve(intact() ? withoutNonce(Buffer.concat([Buffer.from(parts.start), shell, Buffer.from(parts.afterShell), ...collector.chunks, Buffer.from(tail)])) : null)
    })
  })
}

/** A streamed page as it may be stored: no nonce in it; its inline scripts are allowed by their hashes instead. */
export function withoutNonce(html: Buffer): StreamedCopy {
  const scripts = new Set<string>()
  const text = html.toString('utf8').replace(/<script nonce="[^"]*"([^>]*)>([\s\S]*?)<\/script>/g, (_, attributes: string, body: string) => {
    if (body !== '') scripts.add(hashSource(body))
    return `<script${attributes}>${body}</script>`
  })
  return { html: Buffer.from(text), scripts: [...scripts] }
}
