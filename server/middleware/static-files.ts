import type { Settings } from '../env'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import express, { type RequestHandler } from 'express'
import sirv from 'sirv'
import { SiteError } from '../errors'
import { isKeptBuild, keptAssetsFolder } from '../http/previous-builds'
import { drawingPolicy } from '../cache/security-headers'

/** Own drawings too are documents when somebody opens them. */
const guardDrawings = (
  response: { setHeader: (name: string, value: string) => unknown },
  path: string,
): void => {
  if (path.toLowerCase().endsWith('.svg'))
    response.setHeader('Content-Security-Policy', drawingPolicy)
}

const immutable = 'public,max-age=31536000,immutable'

/** Files of builds that this process does not run: looked up when they are asked for, because another build may start at any time. */
function otherBuilds(dataDir: string): RequestHandler {
  const folder = keptAssetsFolder(dataDir)
  const known = new Map<string, RequestHandler>()
  const handlerOf = (name: string): RequestHandler => {
    const handler =
      known.get(name) ??
      sirv(join(folder, name), {
        dev: true,
        brotli: true,
        gzip: true,
        etag: true,
        setHeaders: (response, path) => {
          response.setHeader('Cache-Control', immutable)
          guardDrawings(response, path)
        },
      })
    known.set(name, handler)
    return handler
  }
  return function otherBuildsRow(request, response, next) {
    // Hashed names only: neither a manifest nor a folder's name is an address.
    if (!/^\/[\w~-]+(?:\.[\w-]+){2,}$/.test(request.path)) return next()
    readdir(folder).then(
      (names) => {
        const handlers = names.filter(isKeptBuild).map(handlerOf)
        const step = (index: number): void => {
          const handler = handlers[index]
          if (handler) void handler(request, response, () => step(index + 1))
          else next()
        }
        step(0)
      },
      () => next(),
    )
  }
}

/** `/assets/`: hashed files of this build and of those before it, so immutable; compressed when they were built. A missing one is 404 and never a page. */
export function assets({
  folders,
  settings,
}: {
  folders: { public: string; assets: string }
  settings: Settings
}): RequestHandler[] {
  return [
    sirv(folders.assets, {
      brotli: true,
      gzip: true,
      etag: true,
      immutable: true,
      maxAge: 31_536_000,
      setHeaders: guardDrawings,
    }),
    otherBuilds(settings.DATA_DIR),
    function missingAsset() {
      throw new SiteError('notFound')
    },
  ]
}

/** Files of `public/`, at the root of every host. What is not there goes on to the pages; names without an ending are pages, for which no disk is asked. */
export function publicFiles({
  folders,
}: {
  folders: { public: string; assets: string }
}): RequestHandler {
  const serve = express.static(folders.public, {
    index: false,
    redirect: false,
    dotfiles: 'ignore',
    maxAge: 3600 * 1000,
    setHeaders: guardDrawings,
  })
  return function publicFilesRow(request, response, next) {
    if (request.path.includes('.', request.path.lastIndexOf('/'))) serve(request, response, next)
    else next()
  }
}
