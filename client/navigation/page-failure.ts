import type { LocaleCode } from '../../shared/i18n/locales'
import { href } from '../../shared/routes/href'
import { sessionStorageOrNull } from '../platform/browser-storage'
import { afterChunkFailure } from './chunk-reload'
import { reportPreloadError } from './preload-error'

/** What webpack throws when a script or a style sheet cannot be fetched. */
export const isChunkLoadError = (error: unknown): error is Error =>
  error instanceof Error &&
  (error.name === 'ChunkLoadError' || ('code' in error && error.code === 'CSS_CHUNK_LOAD_FAILED'))

/**
 * Handles a page whose code cannot be fetched or throws: reloads it once, then shows the error
 * screen. The server renders the error screen, so it appears even when no further code can be
 * fetched. `reload` loads the page's address.
 */
export function handlePageFailure(
  window: Window,
  locale: LocaleCode,
  url: URL,
  error: unknown,
  reload: (address: string) => void,
): void {
  if (isChunkLoadError(error)) reportPreloadError({ kind: 'chunk', url: url.pathname, error })
  else console.error(error)
  const errorScreen = href(locale, 'error-502')
  const next = afterChunkFailure(url.pathname, { storage: sessionStorageOrNull(), now: Date.now })
  if (next === 'reload') reload(url.href)
  else if (window.location.pathname !== errorScreen) window.location.replace(errorScreen)
}
