import { LRUCache } from 'lru-cache'
import Negotiator from 'negotiator'

export type Encoding = 'br' | 'gzip' | 'identity'
/**
 * The encodings that answers are stored in. Of equal weights in `Accept-Encoding`, the first wins.
 */
const encodings: readonly Encoding[] = ['br', 'gzip', 'identity']

/** The package's type declarations do not have the second parameter yet. */
type EncodingNegotiator = {
  encoding: (
    available: readonly string[],
    options: { preferred: readonly string[] },
  ) => string | undefined
}

/**
 * Browsers send a handful of different headers. The bound keeps a flood of odd ones from taking
 * memory.
 */
const negotiated = new LRUCache<string, Encoding>({ max: 256 })

/** The best encoding that a client accepts (RFC 9110 12.5.3); `q=0` refuses one. */
export function negotiateEncoding(acceptEncoding: string | undefined): Encoding {
  if (!acceptEncoding) return 'identity'
  const known = negotiated.get(acceptEncoding)
  if (known) return known
  const negotiator: EncodingNegotiator = new Negotiator({
    headers: { 'accept-encoding': acceptEncoding },
  })
  const best = negotiator.encoding(encodings, { preferred: encodings })
  // A client that refuses every encoding gets identity: it is the only one that all clients can
  // read.
  const encoding = encodings.find((name) => name === best) ?? 'identity'
  negotiated.set(acceptEncoding, encoding)
  return encoding
}
