import { z } from 'zod'
import { limits } from '../../shared/constants'
import { locales } from '../../shared/i18n/locales'
import { SiteError } from '../errors'
import { canonicalize } from '../url/canonicalize'
import { splitTarget } from '../url/decode-path'
import { seenFromHost } from '../url/seen-from-host'
import { defineCall } from './api-call'
import { localeField } from './fields'

export type RedirectAnswer = { target: string; status: number; external: boolean } | null

/**
 * `GET /api/site/redirect?path=&lang=`: the redirect that a path on a language's host gets, or null. `target` is a path where it stays on
 * that host, else an absolute address; `external` when it leaves this site or its host, so that the browser loads it fully.
 */
export const siteRedirect = defineCall({
  method: 'GET',
  path: '/site/redirect',
  limit: 'other',
  from: 'query',
  input: z.object({
    path: z
      .string('begins with a slash')
      .regex(/^[/\\]/, 'begins with a slash')
      .max(limits.targetBytes),
    lang: localeField.prefault('en'),
  }),
  make:
    ({ urlContext }) =>
    ({ path, lang }): RedirectAnswer => {
      const { origins } = urlContext()
      const host = locales[lang].domain
      const decision = canonicalize({ host, ...splitTarget(path) }, urlContext())
      if (decision.kind === 'bad') throw new SiteError('badPath')
      if (decision.kind !== 'redirect') return null
      const { location, status, external } = seenFromHost(decision, origins[host])
      return { target: location, status, external }
    },
})
