import { socialPicture } from '../../../shared/constants'
import { createFairRunner } from '../../request/fair-runner'
import { drawPicture } from './draw-picture'
import type { createPictureStore } from './picture-store'
import type { PictureText } from './picture-text'

/**
 * Draws one picture at a time, and stores it. A crawler that requests all of them so takes one core
 * at most. Rejects with 429 when too many pictures of an address wait, and with 503 when too many
 * wait in all.
 */
export function createDrawQueue(store: Pick<ReturnType<typeof createPictureStore>, 'write'>) {
  const drawings = new Map<string, Promise<Buffer>>()
  const runner = createFairRunner({
    maxWaiting: socialPicture.maxQueued,
    maxInFlight: socialPicture.maxInFlight,
    busy: 'busy',
    retryAfterSeconds: 5,
  })

  /** The picture of a text; requests for the same hash share one drawing. */
  return function draw(hash: string, text: PictureText, group: string): Promise<Buffer> {
    const running = drawings.get(hash)
    if (running) return running
    const drawing = runner
      .run(group, async () => {
        const picture = await drawPicture(text)
        await store.write(hash, picture)
        return picture
      })
      .finally(() => drawings.delete(hash))
    drawings.set(hash, drawing)
    return drawing
  }
}
