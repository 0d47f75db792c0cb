import type { ImageService } from '../images/image-service'
import type { Request, RequestHandler } from 'express'
import { SiteError } from '../errors'
import type { ImageAnswer } from '../images/image-service'
import { parseTarget } from '../images/parse-target'
import { note } from '../telemetry/logger'
import { drawingPolicy } from '../cache/security-headers'

const types = {
  avif: 'image/avif',
  webp: 'image/webp',
  png: 'image/png',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  svg: 'image/svg+xml',
} as const
const year = 31_536_000

const cacheControl = ({ immutable }: ImageAnswer): string =>
  immutable
    ? `public, max-age=${year}, immutable`
    : 'public, max-age=3600, stale-while-revalidate=86400'
/** Weak or strong, alone or in a list (RFC 9110 13.1.2). */
const matches = (request: Request, etag: string): boolean =>
  (request.headers['if-none-match'] ?? '')
    .split(',')
    .some((value) => value.trim().replace(/^W\//, '') === etag || value.trim() === '*')

/** `/_image/{modifiers}/{path or encoded URL}`: pictures in listed widths and formats, and nothing else. */
export function images({ images: service }: { images: ImageService }): RequestHandler {
  return async function imagesRow(request, response) {
    note(response, { route: 'image' })
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new SiteError('methodNotAllowed', undefined, { Allow: 'GET, HEAD' })
    const target = parseTarget(request.url.split('?', 1)[0] ?? '')
    if (target.variant.format === 'auto') response.vary('Accept')
    const answer = await service.answer(target, request.headers.accept ?? '', (leave) =>
      response.once('close', leave),
    )
    if (response.destroyed) return
    note(response, { cache: answer.made ? 'miss' : 'hit' })
    const etag = `"${answer.key}"`
    response.setHeader('ETag', etag)
    response.setHeader('Cache-Control', cacheControl(answer))
    if (matches(request, etag)) return void response.status(304).end()
    response.setHeader('Content-Type', types[answer.format])
    // A drawing may hold scripts: opened by itself it runs none, and asks for nothing.
    response.setHeader('Content-Security-Policy', drawingPolicy)
    response.setHeader('Content-Disposition', `inline; filename="picture.${answer.format}"`)
    response.setHeader('Content-Length', answer.bytes.length)
    response.end(request.method === 'HEAD' ? undefined : answer.bytes)
  }
}
