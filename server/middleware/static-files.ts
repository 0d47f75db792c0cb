import express, { type RequestHandler } from 'express'
import sirv from 'sirv'
import { SiteError } from '../errors'
import { drawingPolicy } from '../render/security-headers'
import type { Site } from '../site'

/** Own drawings too are documents when somebody opens them. */
const guardDrawings = (response: { setHeader: (name: string, value: string) => unknown }, path: string): void => {
  if (path.toLowerCase().endsWith('.svg')) response.setHeader('Content-Security-Policy', drawingPolicy)
}

/** `/assets/`: hashed files of this build and of those before it, so immutable; compressed when they were built. A missing one is 404 and never a page. */
export function assets({ folders }: Site): RequestHandler[] {
  const serve = folders.assets.map((folder) => sirv(folder, { brotli: true, gzip: true, etag: true, immutable: true, maxAge: 31_536_000, setHeaders: guardDrawings }))
  return [
    ...serve,
    function missingAsset() {
      throw new SiteError('notFound')
    },
  ]
}

/** Files of `public/`, at the root of every host. What is not there goes on to the pages. */
export function publicFiles({ folders }: Site): RequestHandler {
  return express.static(folders.public, { index: false, redirect: false, dotfiles: 'ignore', maxAge: 3600 * 1000, setHeaders: guardDrawings })
}
