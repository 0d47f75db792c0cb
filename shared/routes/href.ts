/** Addresses of pages: the inverse of host, prefix and route in one place. */
import { locales, type HostName, type LocaleCode } from '../i18n/locales'
import { pathOf, type Params } from './match'
import type { RouteId } from './table'

/** Origins of the three language hosts, without trailing slash: `https://www.example.com`. */
export type Origins = Readonly<Record<HostName, string>>

/** An unprefixed canonical path in a language: `/pricing` -> `/es/pricing`, `/` -> `/es`. */
export function localePath(locale: LocaleCode, path: string): string {
  const { prefix } = locales[locale]
  if (prefix === '') return path
  return path === '/' ? prefix : prefix + path
}

/** Path of a route on its language's host; `page` from 2 on (page 1 is the list itself, decisions 5). */
export function href(locale: LocaleCode, id: RouteId, params: Params = {}, page = 1): string {
  const path = localePath(locale, pathOf(id, params))
  return page > 1 ? `${path}?page=${page}` : path
}

/** Absolute address of a path in a language. */
export const absolute = (origins: Origins, locale: LocaleCode, pathOnHost: string): string =>
  origins[locales[locale].domain] + pathOnHost
