import type { RequestHandler } from 'express'
import { z } from 'zod'
import { locales } from '../../shared/i18n/locales'
import { SiteError, success } from '../errors'
import type { Site } from '../site'
import { canonicalise } from '../url/canonicalise'
import { splitTarget } from '../url/decode-path'
import { localeOfCall } from '../url/negotiate-locale'
import { seenFromHost } from '../url/seen-from-host'

const inputSchema = z.object({
  path: z.string().regex(/^[/\\]/, 'begins with a slash').max(8192),
  lang: z.string().max(64).default('en'),
})

export type RedirectAnswer = { target: string; status: number; external: boolean } | null

/**
 * `GET /api/site/redirect?path=&lang=`: the redirect that a path on a language's host gets, or null. `target` is a path where it stays on
 * that host, else an absolute address; `external` when it leaves this site or its host, so that the browser loads it fully.
 */
export function siteRedirect({ world }: Site): RequestHandler {
  return function siteRedirectCall(request, response) {
    const query = new URLSearchParams(splitTarget(request.originalUrl).query)
    const input = inputSchema.safeParse({ path: query.get('path') ?? '', lang: query.get('lang') ?? undefined })
    if (!input.success) throw new SiteError('badRequest', `${input.error.issues[0]?.path.join('.')}: ${input.error.issues[0]?.message}`)
    const locale = localeOfCall(input.data.lang)
    if (!locale) throw new SiteError('badRequest', 'lang: no such language')
    const { origins } = world()
    const host = locales[locale].domain
    const decision = canonicalise({ host, ...splitTarget(input.data.path) }, world())
    if (decision.kind === 'bad') throw new SiteError('badPath')
    response.setHeader('Cache-Control', 'no-store')
    if (decision.kind !== 'redirect') return void response.json(success<RedirectAnswer>(null))
    const { location, status, external } = seenFromHost(decision, origins[host])
    response.json(success<RedirectAnswer>({ target: location, status, external }))
  }
}
