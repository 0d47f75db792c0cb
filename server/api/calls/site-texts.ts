import { z } from 'zod'
import { lateNamespaces } from '../../../shared/i18n/namespaces'
import { typesetTexts } from '../../pages/typeset-view'
import { defineCall } from '../define-call'
import { localeField } from '../input-fields'

/**
 * `GET /api/site/texts?lang=&name=`: texts of a part of the interface that is loaded only when a
 * visitor opens it. Pages do not contain these texts.
 */
export const siteTexts = defineCall({
  method: 'GET',
  path: '/site/texts',
  rateLimit: 'other',
  inputFrom: 'query',
  cacheControl: 'public, max-age=3600',
  input: z.object({
    lang: localeField,
    name: z.enum(lateNamespaces, `one of ${lateNamespaces.join(', ')}`),
  }),
  createHandler:
    ({ store }) =>
    ({ lang, name }) => ({ locale: lang, texts: typesetTexts(store.texts(lang, name), lang) }),
})
