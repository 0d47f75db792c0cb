import { SiteError } from '../../errors'

/**
 * The URL in the application that a visitor is sent to after sign-in. `redirectData` may be empty,
 * a path, or a URL on the application's origin. Anything else is 400: the URL carries the one-time
 * token, which must never reach another site.
 */
export function applicationUrl(appUrl: string, siteOrigin: string, redirectData: string): URL {
  const application = new URL(appUrl, siteOrigin)
  if (!redirectData) return application
  // Browsers strip tabs and line breaks and read backslashes as slashes: refuse all of them.
  const isWellFormed =
    /^(?:\/(?:[^/\\\s][^\\\s]*)?|https?:\/\/[^\\\s]*)$/i.test(redirectData) &&
    URL.canParse(redirectData, application)
  const target = isWellFormed ? new URL(redirectData, application) : null
  if (!target || target.origin !== application.origin || target.username || target.password)
    throw new SiteError('badRequest', 'redirect_data: a path or an address of the application')
  return target
}
