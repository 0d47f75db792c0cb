import type { Answer } from './site'

/**
 * The score by the guide of MDN's HTTP Observatory: 100, minus points for what is missing, plus
 * points for what exceeds the baseline. `minus` names what cost points.
 */
export function observatoryScore({ headers, body }: Pick<Answer, 'headers' | 'body'>): {
  score: number
  minus: string[]
} {
  const minus: string[] = []
  const lost = (points: number, why: string): number => {
    minus.push(`${-points}: ${why}`)
    return -points
  }
  const text = (name: string): string => String(headers[name] ?? '')
  const directives = new Map(
    text('content-security-policy')
      .split('; ')
      .map((part) => [part.split(' ', 1)[0] ?? '', part] as const),
  )
  const unsafe = /'unsafe-(inline|eval)'|data:|\*/.test(
    `${directives.get('script-src')} ${directives.get('object-src')} ${directives.get('style-src')}`,
  )
  let score = 100
  score +=
    directives.size < 2
      ? lost(25, 'no policy')
      : unsafe
        ? lost(20, 'the policy allows too much')
        : directives.get('default-src') === "default-src 'none'"
          ? 10
          : 5
  score +=
    Number(/max-age=(\d+)/.exec(text('strict-transport-security'))?.[1] ?? 0) >= 15_768_000
      ? 0
      : lost(20, 'transport security')
  score += text('x-content-type-options') === 'nosniff' ? 0 : lost(5, 'types are guessed')
  score += /^frame-ancestors 'none'$/.test(directives.get('frame-ancestors') ?? '')
    ? 5
    : text('x-frame-options') === 'DENY'
      ? 0
      : lost(20, 'framing')
  score += [
    'no-referrer',
    'same-origin',
    'strict-origin',
    'strict-origin-when-cross-origin',
  ].includes(text('referrer-policy'))
    ? 5
    : lost(5, 'referrer')
  score += ['same-origin', 'same-site'].includes(text('cross-origin-resource-policy')) ? 10 : 0
  if (headers['access-control-allow-origin'] !== undefined)
    score += lost(50, 'readable from other sites')
  for (const cookie of [headers['set-cookie'] ?? []].flat())
    if (!/; secure/i.test(cookie)) score += lost(20, `cookie ${cookie.split('=', 1)[0]}`)
  for (const [, source = ''] of body.matchAll(/<script[^>]* src="([^"]+)"/g))
    if (/^https?:/.test(source)) score += lost(5, `script of another site ${source}`)
  return { score, minus }
}
