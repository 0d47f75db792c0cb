import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { RequestHandler } from 'express'
import sirv from 'sirv'
import { protectDrawing } from '../cache/security-headers'
import type { Settings } from '../env'
import { SiteError } from '../errors'
import { isBuildFolder, previousBuildsFolder } from '../http/previous-builds'
import { negotiateEncoding } from '../request/negotiate-encoding'

type Services = { folders: { assets: string }; settings: Pick<Settings, 'DATA_DIR'> }

/** Names of hashed files: neither a build's manifest nor a folder can be requested. */
const hashedFile = /^\/[\w~-]+(?:\.[\w-]+){2,}$/

/**
 * Changes two headers that sirv reads wrongly:
 * - `Range`: `bytes=-5` gets the first bytes instead of the last, and `bytes=5-1` throws after the
 *   head is sent. Hashed files are small, so they are always sent whole, which a server may do
 *   (RFC 9110, section 14.2).
 * - `Accept-Encoding`: weights are ignored, so `br;q=0` gets Brotli. Only the chosen one is left.
 */
const correctHeaders: RequestHandler = ({ headers }, _response, next) => {
  delete headers.range
  headers['accept-encoding'] = negotiateEncoding(headers['accept-encoding'])
  next()
}

/**
 * Closes the connection when a file cannot be read. sirv has no listener for this error, so the
 * process would end: for example when a file of a running build was deleted.
 */
const closeOnReadError: RequestHandler = (_request, response, next) => {
  response.once('pipe', (file: Readable) => file.once('error', () => response.destroy()))
  next()
}

/**
 * Files of other builds. The folder is read for each request, because another build may start at
 * any time.
 */
function previousBuilds(dataDir: string): RequestHandler {
  const folder = previousBuildsFolder(dataDir)
  const handlers = new Map<string, RequestHandler>()
  const handlerOf = (build: string): RequestHandler => {
    const handler =
      handlers.get(build) ??
      sirv(join(folder, build), {
        dev: true,
        brotli: true,
        gzip: true,
        etag: true,
        setHeaders: (response, path) => {
          response.setHeader('Cache-Control', 'public,max-age=31536000,immutable')
          protectDrawing(response, path)
        },
      })
    handlers.set(build, handler)
    return handler
  }
  return function previousBuildsRow(request, response, next) {
    if (!hashedFile.test(request.path)) return void next()
    const tryBuilds = ([build, ...others]: string[]): void => {
      if (build === undefined) next()
      else void handlerOf(build)(request, response, () => tryBuilds(others))
    }
    readdir(folder)
      // There is no folder before the first build is kept.
      .catch(() => [])
      .then((names) => tryBuilds(names.filter(isBuildFolder)))
      .catch(next)
  }
}

/**
 * `/assets/`: the hashed files of this build and of previous builds. They never change, and were
 * compressed at build time. A missing file is 404 and never a page.
 */
export function assets({ folders, settings }: Services): RequestHandler[] {
  return [
    correctHeaders,
    closeOnReadError,
    sirv(folders.assets, {
      brotli: true,
      gzip: true,
      etag: true,
      immutable: true,
      maxAge: 31_536_000,
      setHeaders: protectDrawing,
    }),
    previousBuilds(settings.DATA_DIR),
    function missingAsset() {
      throw new SiteError('notFound')
    },
  ]
}
