/** Who may use the development server: this machine, under names that no other site can have. */
import type { IncomingMessage } from 'node:http'

/** Browsers resolve these names to the machine itself; an attacker's DNS cannot. */
const isLocalName = (name: string): boolean =>
  name === 'localhost' || name.endsWith('.localhost') || name === '127.0.0.1' || name === '[::1]'

/** The host name of a URL; null when it cannot be read. */
export const hostnameOf = (url: string | undefined): string | null =>
  url !== undefined && URL.canParse(url) ? new URL(url).hostname : null

/**
 * Whether a request names this machine as its host. A page of an attacker can reach a server on
 * loopback when its own name resolves to 127.0.0.1 (DNS rebinding), but it then sends its own name.
 * `otherNames` are accepted too.
 */
export function isForThisMachine(
  { headers }: Pick<IncomingMessage, 'headers'>,
  otherNames: readonly string[] = [],
): boolean {
  const name = hostnameOf(`http://${headers.host ?? ''}`)
  return name !== null && (isLocalName(name) || otherNames.includes(name))
}

/** Whether a page of this machine sent a request. Pages cannot forge this header. */
export const isFromThisMachine = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  isLocalName(hostnameOf(headers.referer) ?? '')
