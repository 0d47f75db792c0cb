import { socialPicture } from '../../../shared/constants'
import { SiteError } from '../../errors'
import { drawPicture } from './draw-picture'
import type { createPictureStore } from './picture-store'
import type { PictureText } from './picture-text'

/**
 * Draws one picture at a time, and stores it. A crawler that requests all of them so takes one core
 * at most. Throws 503 when too many pictures wait.
 */
export function createDrawQueue(store: Pick<ReturnType<typeof createPictureStore>, 'write'>) {
  const queued = new Map<string, Promise<Buffer>>()
  let last: Promise<unknown> = Promise.resolve()

  async function drawAndStore(hash: string, text: PictureText): Promise<Buffer> {
    const picture = await drawPicture(text)
    await store.write(hash, picture)
    return picture
  }

  /** The picture of a text; requests for the same hash share one drawing. */
  return function draw(hash: string, text: PictureText): Promise<Buffer> {
    const running = queued.get(hash)
    if (running) return running
    if (queued.size >= socialPicture.maxQueued)
      throw new SiteError('busy', undefined, { 'Retry-After': '5' })
    const drawing = last.then(() => drawAndStore(hash, text)).finally(() => queued.delete(hash))
    last = drawing.catch(() => undefined)
    queued.set(hash, drawing)
    return drawing
  }
}
