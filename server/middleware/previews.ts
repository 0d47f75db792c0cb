import type { RequestHandler } from 'express'
import type { PageServices } from '../pages/page-services'
import { createPreviewRenderer } from '../pages/previews/render-preview'

/** `/_preview/{token}`: an unpublished entry, for everyone who has the signed link. */
export function previews(services: PageServices): RequestHandler {
  const renderPreview = createPreviewRenderer(services)
  return async function previewsRow(request, response) {
    const { headers, html } = await renderPreview(request.path.slice(1), response)
    response.set(headers).send(html)
  }
}
