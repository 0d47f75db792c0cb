import { EventEmitter } from 'node:events'

/**
 * Collects the bytes that React writes. Once `target` is set, each batch is passed on when React
 * has finished it; batches end at whole characters. Not a real stream: that would cost time for
 * features that a render does not use.
 */
export class OutputCollector extends EventEmitter implements NodeJS.WritableStream {
  readonly writable = true
  /** Like `write` of a stream: false asks React to wait until `drained` is called. */
  target: ((text: string) => boolean) | null = null
  private chunks: Uint8Array[] = []
  private hasRoom = true
  write(chunk: string | Uint8Array): boolean {
    this.chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
    return this.hasRoom
  }
  /** Returns the bytes since the last call. */
  take(): Buffer {
    const bytes = Buffer.concat(this.chunks)
    this.chunks = []
    return bytes
  }
  /** React calls it at the end of a batch. */
  flush(): void {
    if (!this.target) return
    const text = this.take().toString()
    if (text !== '') this.hasRoom = this.target(text)
  }
  drained(): void {
    this.hasRoom = true
    this.emit('drain')
  }
  end(): this {
    // On the next tick: the caller takes the shell synchronously before the rest is passed on.
    process.nextTick(() => {
      this.flush()
      this.emit('finish')
    })
    return this
  }
  /** React calls it when it gives the page up. What it has written until then is sent. */
  destroy(): this {
    return this.end()
  }
}
