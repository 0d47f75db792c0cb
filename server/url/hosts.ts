import { hostNames, type HostName } from '../../shared/i18n/locales'
import type { Origins } from '../../shared/routes/href'
import { SettingsError, type Settings } from '../env'

export type Hosts = {
  origins: Origins
  /** The language host of a `Host` header; an unknown name is served as the en host (spec 3.7). */
  hostNameOf: (hostHeader: string) => HostName
  /**
   * Whether a `Host` header names this site: an origin of the settings, `ZH_HOSTS` or `RU_HOSTS`.
   */
  isKnown: (hostHeader: string) => boolean
  /** Whether the origin of a host is https, by the settings: no request header decides it. */
  isSecure: (name: HostName) => boolean
  /** The same for a `Host` header, or a request without one. */
  isSecureFor: (hostHeader: string | undefined) => boolean
}

/** A `Host` header (RFC 9110, section 7.2): a name or address, and optionally a port. */
const hostHeader = /^(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9.])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i
export const isHostHeader = (value: string): boolean =>
  value.length <= 255 && hostHeader.test(value)

const withoutDefaultPort = (host: string, scheme: string): string =>
  host.toLowerCase().replace(scheme === 'https' ? /:(?:443)?$/ : /:(?:80)?$/, '')

/**
 * Whether the origin of an absolute-form target names the host of the `Host` header, apart from
 * letter case and the default port. A cache in front of the site may file an answer under either of
 * the two, so a request in which they differ could put a page under another host's name.
 */
export function namesHost(origin: string, hostHeader: string): boolean {
  const [scheme = '', authority = ''] = origin.toLowerCase().split('://')
  return withoutDefaultPort(authority, scheme) === withoutDefaultPort(hostHeader, scheme)
}

const withoutPort = (host: string): string => host.replace(/:\d+$/, '')

/**
 * `port` is the one that the server listens on: the default origins contain it. Throws a
 * SettingsError when two languages have the same host, because one of them could not be reached.
 */
export function createHosts(
  settings: Pick<Settings, 'SITE_URL_EN' | 'SITE_URL_ZH' | 'SITE_URL_RU' | 'ZH_HOSTS' | 'RU_HOSTS'>,
  port: number,
): Hosts {
  const origins: Origins = {
    en: settings.SITE_URL_EN || `http://localhost:${port}`,
    zh: settings.SITE_URL_ZH || `http://zh.localhost:${port}`,
    ru: settings.SITE_URL_RU || `http://ru.localhost:${port}`,
  }
  const names = new Map<string, HostName>()
  const add = (setting: string, value: string, host: string, name: HostName): void => {
    const other = names.get(host) ?? name
    if (other !== name)
      throw new SettingsError(
        `${setting}="${value}" is not accepted: a host that no other language has (${host} is the ${other} host)`,
      )
    names.set(host, name)
  }
  for (const name of hostNames)
    add(`SITE_URL_${name.toUpperCase()}`, origins[name], new URL(origins[name]).host, name)
  for (const host of settings.ZH_HOSTS) add('ZH_HOSTS', settings.ZH_HOSTS.join(), host, 'zh')
  for (const host of settings.RU_HOSTS) add('RU_HOSTS', settings.RU_HOSTS.join(), host, 'ru')
  // Names without port come last: where two origins differ by port only, the exact name wins.
  for (const name of hostNames) {
    const { hostname } = new URL(origins[name])
    if (!names.has(hostname)) names.set(hostname, name)
  }
  const hostNameOf = (header: string): HostName => {
    const host = header.toLowerCase()
    return names.get(host) ?? names.get(withoutPort(host)) ?? 'en'
  }
  const isSecure = (name: HostName): boolean => origins[name].startsWith('https:')
  return {
    origins,
    hostNameOf,
    isKnown: (header) => names.has(header.toLowerCase()),
    isSecure,
    isSecureFor: (header = '') => isSecure(hostNameOf(header)),
  }
}
