import type { RequestHandler } from 'express'
import { drawingPolicy } from '../cache/security-headers'
import { previewParam } from '../../shared/images'
import type { ContentStore } from '../content/store/store'
import type { Settings } from '../env'
import type { ImageAnswer, ImageService } from '../images/image-service'
import { parseTarget } from '../images/parse-target'
import { createPictureAccess } from '../pages/previews/picture-access'
import { formatETag, matchesETag } from '../request/etag'
import { addLogFields } from '../telemetry/logger'
import { splitTarget } from '../url/decode-path'

const mediaTypes = {
  avif: 'image/avif',
  webp: 'image/webp',
  png: 'image/png',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  svg: 'image/svg+xml',
} as const

const cacheControl = ({ immutable }: ImageAnswer, isPrivate: boolean): string => {
  if (isPrivate) return 'private, no-store'
  return immutable
    ? 'public, max-age=31536000, immutable'
    : 'public, max-age=3600, stale-while-revalidate=86400'
}

/**
 * `/_image/{modifiers}/{path or encoded URL}`: images in the listed widths and formats (spec 6.8).
 * Of the query only the token of a preview counts.
 */
export function images({
  images: service,
  settings,
  store,
}: {
  images: ImageService
  settings: Pick<Settings, 'DATA_DIR'>
  store: Pick<ContentStore, 'localesOf'>
}): RequestHandler {
  const accessOf = createPictureAccess(store, settings.DATA_DIR)
  return async function imagesRow(request, response) {
    addLogFields(response, { route: 'image' })
    const { path, query } = splitTarget(request.url)
    const target = parseTarget(path)
    const token = new URLSearchParams(query).get(previewParam) ?? ''
    const isPrivate =
      target.source.kind === 'content' && accessOf(target.source.path, token) === 'private'
    if (target.variant.format === 'auto') response.vary('Accept')
    const image = await service.getImage(target, request.headers.accept ?? '', (leave) =>
      response.once('close', leave),
    )
    if (response.destroyed) return
    addLogFields(response, { cache: image.wasEncoded ? 'miss' : 'hit' })
    response.setHeader('ETag', formatETag(image.key))
    response.setHeader('Cache-Control', cacheControl(image, isPrivate))
    if (matchesETag(request.headers['if-none-match'], image.key))
      return void response.status(304).end()
    response.setHeader('Content-Type', mediaTypes[image.format])
    // A drawing may contain scripts. Opened directly, it must run none and load nothing.
    response.setHeader('Content-Security-Policy', drawingPolicy)
    response.setHeader('Content-Disposition', `inline; filename="picture.${image.format}"`)
    response.setHeader('Content-Length', image.bytes.length)
    response.end(request.method === 'HEAD' ? undefined : image.bytes)
  }
}
