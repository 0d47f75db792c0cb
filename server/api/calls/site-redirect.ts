import { z } from 'zod'
import { limits } from '../../../shared/constants'
import { locales } from '../../../shared/i18n/locales'
import { SiteError } from '../../errors'
import { canonicalize } from '../../url/canonicalize'
import { splitTarget } from '../../url/decode-path'
import { toClientRedirect } from '../../url/redirect'
import { defineCall } from '../define-call'
import { localeField } from '../input-fields'

type RedirectLookup = { target: string; status: number; external: boolean } | null

/**
 * `GET /api/site/redirect?path=&lang=`: the redirect for a path on the host of a language, or null.
 * `target` is a path when it is on that host, else an absolute URL. `external` means that the
 * target is on another host or site, so that the browser must load it fully.
 */
export const siteRedirect = defineCall({
  method: 'GET',
  path: '/site/redirect',
  rateLimit: 'other',
  inputFrom: 'query',
  input: z.object({
    path: z
      .string('begins with a slash')
      .regex(/^[/\\]/, 'begins with a slash')
      .max(limits.maxTargetBytes),
    lang: localeField.prefault('en'),
  }),
  createHandler:
    ({ urlContext }) =>
    ({ path, lang }): RedirectLookup => {
      const { origins } = urlContext()
      const host = locales[lang].domain
      const decision = canonicalize({ host, ...splitTarget(path) }, urlContext())
      if (decision.kind === 'bad') throw new SiteError('badPath')
      if (decision.kind !== 'redirect') return null
      const { location, status, external } = toClientRedirect(decision, origins[host])
      return { target: location, status, external }
    },
})
