import { join } from 'node:path'
import type { RequestHandler } from 'express'
import { socialPicture } from '../../shared/constants'
import type { CountMiss } from '../cache/answer-source'
import type { AnswerTurns } from '../cache/answer-turns'
import { SiteError } from '../errors'
import { createDrawQueue } from '../images/social/draw-queue'
import { createPictureStore } from '../images/social/picture-store'
import { pictureHash, picturePath, pictureText } from '../images/social/picture-text'
import { createView, type ViewServices } from '../pages/create-view'
import { addressGroup, clientAddress } from '../request/client-address'
import { canonicalize } from '../url/canonicalize'
import { redirect } from '../url/redirect'

type Services = ViewServices & { countMiss: CountMiss; turns: AnswerTurns }

/**
 * `/_og/{hash}/{path of a page}.png`: the social picture of a page, drawn when it is first
 * requested. The text comes from the page and never from the request, so other text cannot be
 * drawn.
 */
export function socialPictures(services: Services): RequestHandler {
  const { hosts, settings, urlContext, countMiss, turns } = services
  const store = createPictureStore(join(settings.DATA_DIR, 'og'), socialPicture.maxDiskBytes)
  const draw = createDrawQueue(store)

  /** The page whose picture a path names. Throws 404 when there is none. */
  function findPage(path: string, hostHeader: string) {
    const host = hosts.hostNameOf(hostHeader)
    const page = canonicalize({ host, path, query: '' }, urlContext())
    if (page.kind !== 'page' || !page.match) throw new SiteError('notFound')
    const { locale, match } = page
    const { status, view } = createView(services, { locale, match, page: 1, path })
    if (status !== 200) throw new SiteError('notFound')
    return { view, origin: hosts.origins[page.host] }
  }

  return async function socialPicturesRow(request, response) {
    const [, hash = '', name = ''] = /^\/([0-9a-f]{16})(\/.+)\.png$/.exec(request.path) ?? []
    if (hash === '') throw new SiteError('notFound')
    // Other sites show these pictures.
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
    let picture = await store.read(hash)
    if (!picture) {
      // Finding out what a picture shows costs as much as loading its page.
      await countMiss(request)
      const group = addressGroup(clientAddress(request, settings.TRUST_PROXY))
      const leaving = new AbortController()
      response.once('close', () => leaving.abort())
      await turns.begin(group, leaving.signal)
      if (response.destroyed) return
      const path = name === '/index' ? '/' : name
      const { view, origin } = findPage(path, request.headers.host ?? '')
      const text = pictureText(view)
      // The title of the page has changed: the old URL leads to the new picture.
      if (pictureHash(text) !== hash) {
        const location = origin + picturePath(view)
        return void redirect(response, { location, status: 302, external: false }, hosts.origins)
      }
      picture = await draw(hash, text, group)
    }
    response.setHeader('Cache-Control', 'public, max-age=31536000, immutable')
    response.type('png').send(picture)
  }
}
