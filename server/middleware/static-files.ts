import express, { type RequestHandler } from 'express'
import sirv from 'sirv'
import { SiteError } from '../errors'
import type { Site } from '../site'

/** `/assets/`: hashed files of this build and of those before it, so immutable; compressed when they were built. A missing one is 404 and never a page. */
export function assets({ folders }: Site): RequestHandler[] {
  const serve = folders.assets.map((folder) => sirv(folder, { brotli: true, gzip: true, etag: true, immutable: true, maxAge: 31_536_000 }))
  return [
    ...serve,
    function missingAsset() {
      throw new SiteError('notFound')
    },
  ]
}

/** Files of `public/`, at the root of every host. What is not there goes on to the pages. */
export function publicFiles({ folders }: Site): RequestHandler {
  return express.static(folders.public, { index: false, redirect: false, dotfiles: 'ignore', maxAge: 3600 * 1000 })
}
