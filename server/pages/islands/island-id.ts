import { createHash } from 'node:crypto'
import type { LocaleCode } from '../../../shared/i18n/locales'
import type { IslandName, IslandProps, IslandUse } from '../../../shared/islands'
import { canonicalJson, islandUrl } from '../../../shared/payload'

/**
 * First 16 hexadecimal digits of the SHA-256 of name, locale, canonical JSON of the props and build
 * id, joined by line feeds (spec 6.4).
 */
export const islandHash = (
  name: IslandName,
  locale: LocaleCode,
  props: IslandProps,
  buildId: string,
): string =>
  createHash('sha256')
    .update([name, locale, canonicalJson(props), buildId].join('\n'))
    .digest('hex')
    .slice(0, 16)

/** `{Name}_{hash}` */
export const islandId = (
  name: IslandName,
  locale: LocaleCode,
  props: IslandProps,
  buildId: string,
): string => `${name}_${islandHash(name, locale, props, buildId)}`

/** An island for `<Island>`. */
export const islandUse = (
  name: IslandName,
  locale: LocaleCode,
  props: IslandProps,
  buildId: string,
): IslandUse => ({
  name,
  props,
  url: islandUrl(islandId(name, locale, props, buildId), locale, props),
})
