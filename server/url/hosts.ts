import { hostLanguages, type HostName } from '../../shared/i18n/locales'
import type { Origins } from '../../shared/routes/href'
import type { Settings } from '../env'

export type Hosts = {
  origins: Origins
  /** Which of the three language hosts a `Host` header means. A name in no list is served as the en host (decisions 3.7). */
  nameOf: (hostHeader: string) => HostName
  /** Whether the origin of a language host is https: decides HSTS and `Secure`, never a request's header. */
  secure: (name: HostName) => boolean
}

/** A `Host` header as RFC 9110 7.2 allows it: a name or address, and perhaps a port. */
const hostHeader = /^(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9.])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i
export const isHostHeader = (value: string): boolean =>
  value.length <= 255 && hostHeader.test(value)

const withoutPort = (host: string): string => host.replace(/:\d+$/, '')

/** The three origins and the host names that mean them. `port` is the one really listened on: the default origins use it. */
export function createHosts(settings: Settings, port: number): Hosts {
  const origins: Origins = {
    en: settings.SITE_URL_EN || `http://localhost:${port}`,
    zh: settings.SITE_URL_ZH || `http://zh.localhost:${port}`,
    ru: settings.SITE_URL_RU || `http://ru.localhost:${port}`,
  }
  const names = new Map<string, HostName>()
  // Without port first, so that the exact names with port win where two origins differ by it alone.
  for (const name of Object.keys(hostLanguages) as HostName[])
    names.set(new URL(origins[name]).hostname, names.get(new URL(origins[name]).hostname) ?? name)
  for (const host of settings.ZH_HOSTS) names.set(host, 'zh')
  for (const host of settings.RU_HOSTS) names.set(host, 'ru')
  for (const name of Object.keys(hostLanguages) as HostName[])
    names.set(new URL(origins[name]).host, name)
  return {
    origins,
    nameOf: (header) => {
      const host = header.toLowerCase()
      return names.get(host) ?? names.get(withoutPort(host)) ?? 'en'
    },
    secure: (name) => origins[name].startsWith('https:'),
  }
}
