import { randomBytes } from 'node:crypto'
import { pages } from '../../../shared/constants'
import type { PageView, RenderHandle, RenderOptions, ViewModule } from '../../../shared/view'
import type { StreamSink } from '../../cache/answer-source'
import type { DocumentParts } from './document'
import { OutputCollector } from './output-collector'

type WholePage = { kind: 'whole'; html: Buffer }
/** `pipe` sends the document and resolves to what it returns once everything is sent. */
type StreamingPage<T> = {
  kind: 'streaming'
  nonce: string
  pipe: (to: StreamSink) => Promise<T>
}
/** `pipe` resolves to the copy to store, which is whole; to null when the page was cut off. */
export type Rendering = WholePage | StreamingPage<Buffer | null>

export type RenderDependencies = {
  view: ViewModule
  asset: (name: string) => string
  onError: (error: unknown) => void
  /** How long a page whose shell is ready is held back for its islands, so that it is sent whole. */
  islandWaitMs: number
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
 * Renders a page. What was sent in parts is rendered once more for the store, with the islands that
 * have arrived: the copy is like any other page, without nonce and scripts, and is complete without
 * JavaScript.
 */
export async function renderPage(
  page: PageView,
  parts: DocumentParts,
  island: RenderOptions['island'],
  signal: AbortSignal,
  dependencies: RenderDependencies,
): Promise<Rendering> {
  const htmlByUrl = new Map<string, string>()
  const rendering = await renderOnce(
    page,
    parts,
    (use) => {
      const html = island(use)
      if (html instanceof Promise)
        void html.then(
          (late) => htmlByUrl.set(use.url, late),
          () => undefined,
        )
      return html
    },
    signal,
    dependencies,
  )
  if (rendering.kind === 'whole') return rendering
  return {
    ...rendering,
    async pipe(to) {
      if (!(await rendering.pipe(to))) return null
      const settled: RenderOptions['island'] = (use) => htmlByUrl.get(use.url) ?? island(use)
      const copy = await renderOnce(page, parts, settled, signal, dependencies)
      return copy.kind === 'whole' ? copy.html : null
    },
  }
}

/**
 * Resolves when the shell is ready, so that status and head are decided before the first byte.
 * Rejects when the shell fails, takes longer than `timeoutMs` or `signal` aborts (the client has
 * disconnected). `pipe` resolves to whether everything was rendered and sent.
 */
function renderOnce(
  page: PageView,
  parts: DocumentParts,
  island: RenderOptions['island'],
  signal: AbortSignal,
  { view, asset, onError, islandWaitMs, timeoutMs = pages.renderTimeoutMs }: RenderDependencies,
): Promise<WholePage | StreamingPage<boolean>> {
  const nonce = createNonce()
  const state = { isShellReady: false, isComplete: false, hasFailed: false }
  return new Promise((resolve, reject) => {
    let waiting: NodeJS.Timeout | undefined
    const finish = (): void => {
      stopTimer()
      if (state.hasFailed) return reject(new Error('a part of the page failed to render'))
      collect(handle, parts, (html) => resolve({ kind: 'whole', html }))
    }
    const startStreaming = (): void => {
      waiting = undefined
      const isIntact = (): boolean => state.isComplete && !state.hasFailed
      const pipe = (to: StreamSink) => stream(handle, parts, to, isIntact, stopTimer)
      resolve({ kind: 'streaming', nonce, pipe })
    }
    const handle = view.renderPage(page, {
      nonce,
      island,
      asset,
      onShellReady() {
        state.isShellReady = true
        // Without late parts React calls `onAllReady` before it returns control.
        queueMicrotask(() => {
          if (state.isComplete) finish()
          else if (islandWaitMs === 0) startStreaming()
          else waiting = setTimeout(startStreaming, islandWaitMs)
        })
      },
      onAllReady() {
        state.isComplete = true
        if (!waiting) return
        clearTimeout(waiting)
        finish()
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
): Promise<boolean> {
  return new Promise((resolve) => {
    const collector = new OutputCollector()
    let isClosed = false
    to.onClose(() => {
      isClosed = true
      stopTimer()
      handle.abort(new Error('the client has disconnected'))
      resolve(false)
    })
    handle.pipe(collector)
    to.write(`${start}${collector.take().toString()}${afterShell}`)
    collector.target = (text) => {
      if (isClosed || to.write(text)) return true
      to.onDrain(() => collector.drained())
      return false
    }
    collector.on('finish', () => {
      stopTimer()
      if (isClosed) return
      to.write(`</div>${end}`)
      to.end()
      resolve(isIntact())
    })
  })
}
