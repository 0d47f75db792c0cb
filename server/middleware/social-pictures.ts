import type { UrlContext } from '../url/canonicalize'
import type { Settings } from '../env'
import type { Hosts } from '../url/hosts'
import { join } from 'node:path'
import type { RequestHandler } from 'express'
import { socialPicture } from '../../shared/constants'
import { SiteError } from '../errors'
import { createView, type ViewServices } from '../pages/create-view'
import { drawPicture } from '../images/social/draw-picture'
import {
  pictureHash,
  picturePath,
  pictureText,
  type PictureText,
} from '../images/social/picture-text'
import { createPictureStore } from '../images/social/picture-store'
import { canonicalize } from '../url/canonicalize'
import { redirect } from '../url/redirect'

type Services = ViewServices

/**
 * `/_og/{hash}/{path of a page}.png`: the picture that a page is shared with, made when it is first asked for. Only what
 * a page of this site is called can be drawn: the text comes from the page and never from the request.
 */
export function socialPictures(site: Services): RequestHandler {
  const { hosts, settings, urlContext } = site
  const store = createPictureStore(join(settings.DATA_DIR, 'og'), socialPicture.diskBytes)
  const making = new Map<string, Promise<Buffer>>()
  let last: Promise<unknown> = Promise.resolve()

  /** One picture at a time: a crawler that wants all of them takes one core at most, and pages go on. */
  function make(hash: string, text: PictureText): Promise<Buffer> {
    const known = making.get(hash)
    if (known) return known
    if (making.size >= socialPicture.waiting)
      throw new SiteError('busy', undefined, { 'Retry-After': '5' })
    const made = last
      .then(async () => {
        const picture = await drawPicture(text)
        await store.put(hash, picture)
        return picture
      })
      .finally(() => making.delete(hash))
    last = made.catch(() => undefined)
    making.set(hash, made)
    return made
  }

  return async function socialPicturesRow(request, response) {
    const [, asked = '', rest = ''] = /^\/([0-9a-f]{16})(\/.+)\.png$/.exec(request.path) ?? []
    if (asked === '') throw new SiteError('notFound')
    // Pictures are shown on other sites: that is what they are for.
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
    let picture = await store.get(asked)
    if (!picture) {
      const path = rest === '/index' ? '/' : rest
      const page = canonicalize(
        { host: hosts.nameOf(request.headers.host ?? ''), path, query: '' },
        urlContext(),
      )
      const made =
        page.kind === 'page' && page.match
          ? createView(site, { locale: page.locale, match: page.match, page: 1, path })
          : null
      if (page.kind !== 'page' || made?.status !== 200) throw new SiteError('notFound')
      const text = pictureText(made.view)
      // The page has another title by now: whoever kept the old address is shown the new picture.
      if (pictureHash(text) !== asked)
        return redirect(
          response,
          {
            location: hosts.origins[page.host] + picturePath(made.view),
            status: 302,
            external: false,
          },
          hosts.origins,
        )
      picture = await make(asked, text)
    }
    response.setHeader('Cache-Control', 'public, max-age=31536000, immutable')
    response.type('png').send(picture)
  }
}
