/**
 * Requests pictures that a running site has not encoded yet, one after the other, so that its
 * encoder processes have work.
 */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { allowedQualities, allowedWidths } from '../shared/images'
import { fetchFrom } from '../testing/site'

const pictureIntervalMs = 1000
/** Encoding wider pictures takes the CPU time of many pages. */
const maxWidth = 1000
const formats = ['webp', 'png', 'avif'] as const

export type PictureResult = { made: number; failures: string[] }

function picturePaths(content: string): string[] {
  const names = readdirSync(join(content, 'blog')).filter((name) =>
    existsSync(join(content, 'blog', name, 'cover.png')),
  )
  const widths = allowedWidths.filter((width) => width <= maxWidth)
  return widths.flatMap((width) =>
    allowedQualities.flatMap((quality) =>
      names.flatMap((name) =>
        formats.map(
          (format) => `/_image/w_${width},q_${quality},f_${format}/content/blog/${name}/cover.png`,
        ),
      ),
    ),
  )
}

/**
 * `stop` waits for the pending request. The site answers with 415, not 500, when an encoder aborts,
 * so every status but 200 counts as a failure.
 */
export function requestPictures(
  port: number,
  content: string,
): { stop: () => Promise<PictureResult> } {
  const result: PictureResult = { made: 0, failures: [] }
  const paths = picturePaths(content)
  let stopped = false
  const requests = (async () => {
    for (let index = 0; !stopped; index += 1) {
      const path = paths[index % paths.length] ?? '/'
      const status = await fetchFrom(port, path).then(
        (answer) => answer.status,
        (error: unknown) => String(error),
      )
      if (status === 200) result.made += 1
      else result.failures.push(`${path}: ${status}`)
      await sleep(pictureIntervalMs)
    }
  })()
  return {
    async stop() {
      stopped = true
      await requests
      return result
    },
  }
}
