import { SiteError } from '../errors'

/**
 * Where in the application a visitor goes: `redirectData` may be empty, a path, or an address on the application's origin. Anything else is 400:
 * the token travels in that address, so it must never name another site.
 */
export function applicationUrl(appUrl: string, ownOrigin: string, redirectData: string): URL {
  const application = new URL(appUrl, ownOrigin)
  if (!redirectData) return application
  // A browser strips tabs and line breaks and takes backslashes for slashes: none of them is needed.
  const plain =
    /^(?:\/(?![/\\])|https?:\/\/)[^\\\s]*$/i.test(redirectData) &&
    URL.canParse(redirectData, application)
  const target = plain ? new URL(redirectData, application) : null
  if (!target || target.origin !== application.origin || target.username || target.password)
    throw new SiteError('badRequest', 'redirect_data: a path or an address of the application')
  return target
}
