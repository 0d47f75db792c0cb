import { z } from 'zod'
import type { LocaleCode } from '../../../shared/i18n/locales'
import type { ContentStore } from './store'

/** The base info record: names, links and statistics snippets (spec 7.11). */
export type BaseInfo = {
  register_url: string
  login_url: string
  title: string
  keywords: string
  description: string
  statistical_body: string
  statistical_title: string
}

/** Base info by language. The same object is returned until it changes. */
export type BaseInfoSource = { of: (locale: LocaleCode) => BaseInfo }

const seoSchema = z.object({
  seo: z.object({ title: z.string(), keywords: z.string(), description: z.string() }),
})

/** Base info of the embedded API: from `content/site.yaml` and the texts of the home page. */
export function readBaseInfo(
  store: Pick<ContentStore, 'siteConfig' | 'texts'>,
  locale: LocaleCode,
): BaseInfo {
  const { brand, register_url, login_url, statistics } = store.siteConfig()
  const { seo } = seoSchema.parse(store.texts(locale, 'home'))
  const fillBrand = (text: string): string => text.replaceAll('{{brand}}', brand)
  return {
    register_url,
    login_url,
    title: fillBrand(seo.title),
    keywords: fillBrand(seo.keywords),
    description: fillBrand(seo.description),
    statistical_body: statistics.body,
    statistical_title: statistics.title,
  }
}
