import { existsSync, rmSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import type { Settings } from '../env'
import type { Logger } from '../telemetry/logger'

/** A site has noticed this since it was started. The doctor reads it, in another process. */
const markFile = (folder: string): string => join(folder, 'forwarding-ignored')

const warning = {
  message:
    'requests arrive with X-Forwarded-For, but TRUST_PROXY=0: all visitors behind a proxy count as one, and share one rate limit',
  fix: 'if a proxy is in front of the site, set TRUST_PROXY to the number of proxies; otherwise a client has sent the header, which is ignored',
}

/**
 * Wraps the listener of the HTTP server. The first request with a header that TRUST_PROXY ignores
 * is logged and marked for the doctor; then `onNoticed` may install the listener itself.
 */
export function noticeIgnoredForwarding(
  listener: RequestListener,
  { TRUST_PROXY, DATA_DIR }: Pick<Settings, 'TRUST_PROXY' | 'DATA_DIR'>,
  log: Logger,
  onNoticed: (listener: RequestListener) => void,
): RequestListener {
  const file = markFile(DATA_DIR)
  rmSync(file, { force: true })
  if (TRUST_PROXY > 0) return listener
  return function noticingListener(request, response) {
    if (request.headers['x-forwarded-for'] !== undefined) {
      onNoticed(listener)
      log.warn(`${warning.message}; ${warning.fix}`)
      try {
        writeFileSync(file, '')
      } catch (error) {
        log.warn({ err: error }, 'the doctor will not know of it')
      }
    }
    listener(request, response)
  }
}

/** For the doctor: what a running site has noticed; null when it has noticed nothing. */
export const findIgnoredForwarding = ({
  TRUST_PROXY,
  DATA_DIR,
}: Pick<Settings, 'TRUST_PROXY' | 'DATA_DIR'>): typeof warning | null =>
  TRUST_PROXY === 0 && existsSync(markFile(DATA_DIR)) ? warning : null
