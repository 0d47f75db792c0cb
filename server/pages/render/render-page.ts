import { randomBytes } from 'node:crypto'
import { pages } from '../../../shared/constants'
import type { IslandHtml, PageView, RenderHandle, ViewModule } from '../../../shared/view'
import type { StreamSink } from '../../cache/answer-source'
import { encodeText } from '../encode-text'
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
  /** How long a page is held back for its islands, so that it is sent whole. */
  islandWaitMs: number
  timeoutMs?: number
}

/** Islands by URL. */
type Islands = ReadonlyMap<string, IslandHtml>

/**
 * Renders a page as one text when its islands are ready within `islandWaitMs`: that takes React a
 * third less time than a stream. Otherwise it streams, and is rendered once more for the store: the
 * copy is like any other page, without nonce and scripts, and is complete without JavaScript.
 */
export async function renderPage(
  page: PageView,
  parts: DocumentParts,
  islands: Islands,
  signal: AbortSignal,
  dependencies: RenderDependencies,
): Promise<Rendering> {
  // When the client disconnects, these promises are no longer awaited. One that is rejected then
  // would be an unhandled rejection, which ends the process.
  for (const html of islands.values()) if (html instanceof Promise) html.catch(() => undefined)
  const ready = await readyIslands(islands, dependencies.islandWaitMs)
  if (signal.aborted) throw new Error('the client has disconnected')
  if (ready) return { kind: 'whole', html: renderWhole(page, parts, ready, dependencies) }
  const rendering = await startStream(page, parts, islands, signal, dependencies)
  return {
    ...rendering,
    async pipe(to) {
      if (!(await rendering.pipe(to))) return null
      return renderWhole(page, parts, await allIslands(islands), dependencies)
    },
  }
}

const allIslands = async (islands: Islands): Promise<Islands> =>
  new Map(await Promise.all(Array.from(islands, async ([url, html]) => [url, await html] as const)))

/** The islands once all have arrived; null when one takes longer. Rejects when one fails. */
async function readyIslands(islands: Islands, waitMs: number): Promise<Islands | null> {
  const isLate = [...islands.values()].some((html) => html instanceof Promise)
  if (!isLate) return islands
  if (waitMs === 0) return null
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), waitMs)))
  try {
    return await Promise.race([allIslands(islands), timeout])
  } finally {
    clearTimeout(timer)
  }
}

const islandIn =
  (islands: Islands) =>
  ({ url }: { url: string }): IslandHtml => {
    const html = islands.get(url)
    if (html === undefined) throw new Error(`no loader has requested the island ${url}`)
    return html
  }

function renderWhole(
  page: PageView,
  { start, afterShell, end }: DocumentParts,
  islands: Islands,
  { view, asset }: RenderDependencies,
): Buffer {
  const shell = view.renderPage(page, { asset, island: islandIn(islands) })
  return encodeText(start, shell, '</div>', afterShell, end)
}

/**
 * Resolves when the shell is ready, so that status and head are decided before the first byte.
 * Rejects when the shell fails, takes longer than `timeoutMs` or `signal` aborts (the client has
 * disconnected). `pipe` resolves to whether everything was rendered and sent.
 */
function startStream(
  page: PageView,
  parts: DocumentParts,
  islands: Islands,
  signal: AbortSignal,
  { view, asset, onError, timeoutMs = pages.renderTimeoutMs }: RenderDependencies,
): Promise<StreamingPage<boolean>> {
  const nonce = randomBytes(16).toString('base64')
  const state = { isShellReady: false, isComplete: false, hasFailed: false, hasClientLeft: false }
  return new Promise((resolve, reject) => {
    const isIntact = (): boolean => state.isComplete && !state.hasFailed
    function pipe(to: StreamSink): Promise<boolean> {
      const isSent = stream(handle, parts, to, isIntact, stopTimer)
      to.onClose(stopForClient)
      return isSent
    }
    const handle = view.streamPage(page, {
      nonce,
      asset,
      island: islandIn(islands),
      onShellReady() {
        state.isShellReady = true
        resolve({ kind: 'streaming', nonce, pipe })
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
        if (!state.hasClientLeft) onError(error)
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
    function stopForClient(): void {
      state.hasClientLeft = true
      abort('the client has disconnected')
    }
    signal.addEventListener('abort', stopForClient, { once: true })
  })
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
