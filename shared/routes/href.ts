import { locales, type HostName, type LocaleCode } from '../i18n/locales'
import { pathOf, type Params } from './path-of'
import type { RouteId } from './table'

/** Origins of the language hosts, without a trailing slash: `https://www.example.com`. */
export type Origins = Readonly<Record<HostName, string>>

/** Adds the prefix of a language: `/pricing` -> `/es/pricing`, `/` -> `/es`. */
export function localePath(locale: LocaleCode, path: string): string {
  const { prefix } = locales[locale]
  if (prefix === '') return path
  return path === '/' ? prefix : prefix + path
}

/**
 * Path of a page on its language's host. `page` is the page of a list; page 1 is the list without a
 * parameter (spec 5.6).
 */
export function href(locale: LocaleCode, id: RouteId, params: Params = {}, page = 1): string {
  const path = localePath(locale, pathOf(id, params))
  return page > 1 ? `${path}?page=${page}` : path
}

/** URL of a path on the host of a language. */
export const absoluteUrl = (origins: Origins, locale: LocaleCode, pathOnHost: string): string =>
  origins[locales[locale].domain] + pathOnHost
