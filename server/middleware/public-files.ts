import express, { type RequestHandler } from 'express'
import { protectDrawing } from '../cache/security-headers'

/**
 * Files of `public/`, at the root of every host. Names that are not found go on to the pages. A
 * name without an extension is the path of a page, so the disk is not read for it.
 */
export function publicFiles({ folders }: { folders: { public: string } }): RequestHandler {
  const serveFile = express.static(folders.public, {
    index: false,
    redirect: false,
    dotfiles: 'ignore',
    maxAge: 3600 * 1000,
    setHeaders: protectDrawing,
  })
  return function publicFilesRow(request, response, next) {
    const { path } = request
    if (path.includes('.', path.lastIndexOf('/'))) serveFile(request, response, next)
    else next()
  }
}
