import type { LocaleCode } from '../../shared/i18n/locales'
import { href } from '../../shared/routes/href'
import { afterChunkFailure, sessionMemory } from './chunk-reload'
import { reportPreloadError } from './preload-error'

/** What webpack throws for a script or a style sheet that cannot be fetched. */
export const isChunkError = (error: unknown): error is Error =>
  error instanceof Error &&
  (error.name === 'ChunkLoadError' || ('code' in error && error.code === 'CSS_CHUNK_LOAD_FAILED'))

/**
 * A page that cannot be shown, because its code cannot be fetched or has broken: loaded anew once, then the error screen, which is a page of the server's, so that it
 * comes even when no further code does. `reload` loads the page's address.
 */
export function failPage(
  page: Window,
  locale: LocaleCode,
  url: URL,
  error: unknown,
  reload: (address: string) => void,
): void {
  if (isChunkError(error)) reportPreloadError({ kind: 'chunk', url: url.pathname, error })
  else console.error(error)
  const screen = href(locale, 'error-502')
  if (afterChunkFailure(url.pathname, { storage: sessionMemory(page), now: Date.now }) === 'reload')
    reload(url.href)
  else if (page.location.pathname !== screen) page.location.replace(screen)
}
