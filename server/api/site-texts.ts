import { z } from 'zod'
import { lateNamespaces } from '../../shared/i18n/namespaces'
import { defineCall } from './api-call'
import { localeField } from './fields'

/** `GET /api/site/texts?lang=&name=`: texts of a part of the interface that comes only when a visitor opens it; no page carries them. */
export const siteTexts = defineCall({
  method: 'GET',
  path: '/site/texts',
  limit: 'other',
  from: 'query',
  cacheControl: 'public, max-age=3600',
  input: z.object({
    lang: localeField,
    name: z.enum(lateNamespaces, `one of ${lateNamespaces.join(', ')}`),
  }),
  make:
    ({ store }) =>
    ({ lang, name }) => ({ locale: lang, texts: store.texts(lang, name) }),
})
