export type Encoding = 'br' | 'gzip' | 'identity'
export const encodings: readonly Encoding[] = ['br', 'gzip', 'identity']

/** Spellings of `Accept-Encoding` that are remembered: browsers share a handful, and a flood of odd ones shall not grow. */
const remembered = 256
const known = new Map<string, Encoding>()

/** The best encoding that a client accepts (RFC 9110 12.5.3); `q=0` refuses one. */
export function negotiateEncoding(accept: string | undefined): Encoding {
  if (!accept) return 'identity'
  const found = known.get(accept)
  if (found) return found
  const chosen = bestOf(accept)
  if (known.size >= remembered) known.clear()
  known.set(accept, chosen)
  return chosen
}

function bestOf(accept: string): Encoding {
  const weights = new Map<string, number>()
  for (const part of accept.split(',')) {
    const [name = '', ...parameters] = part.trim().toLowerCase().split(';')
    const q = parameters
      .map((parameter) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(parameter)?.[1])
      .find((value) => value !== undefined)
    weights.set(name.trim(), q === undefined ? 1 : Number(q))
  }
  const weight = (encoding: Encoding): number =>
    weights.get(encoding) ?? (encoding === 'identity' ? 0.001 : (weights.get('*') ?? 0))
  // Of equal weights the first of the list wins: Brotli, gzip, as it is.
  const best = encodings.reduce((chosen, encoding) =>
    weight(encoding) > weight(chosen) ? encoding : chosen,
  )
  return weight(best) > 0 ? best : 'identity'
}
