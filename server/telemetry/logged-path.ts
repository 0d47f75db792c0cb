import { reservedPaths } from '../../shared/reserved-paths'

/** What stands for a part of a path or a text that is not logged. */
const masked = '…'
const previewSegment = reservedPaths.previews.path.slice(1)
/** A path without any of these has nothing to mask: nearly all. */
const mayNeedMask = new RegExp(`[@%]|[^\\x21-\\x7e]|${previewSegment}`, 'i')
/** Text that is encoded more often than this is masked instead of decoded. */
const maxDecodings = 8

/** Decodes what is percent-encoded; invalid UTF-8 becomes replacement characters. */
const decodeOnce = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'),
  )

/** Decodes a text until it no longer changes; null when it is encoded too often. */
function decodeFully(text: string): string | null {
  let decoded = text
  for (let count = 0; count < maxDecodings; count += 1) {
    const next = decodeOnce(decoded)
    // NFKC turns the full-width `＠` into `@`.
    if (next === decoded) return decoded.normalize('NFKC')
    decoded = next
  }
  return null
}

/** Node gives the bytes of a request target as characters. */
const fromRawBytes = (text: string): string =>
  /^[\0-\x7f]*$/.test(text) ? text : Buffer.from(text, 'latin1').toString('utf8')

/**
 * The path of a request target as logs and traces hold it (spec 10.2): without query and fragment,
 * which may hold tokens, also when the question mark is encoded. A segment with an `@` in any
 * encoding is masked, because it may be an e-mail address. `/_preview/…` stands for every preview,
 * whose link is a secret.
 */
export function loggedPath(target: string): string {
  const end = target.search(/[?#]/)
  const path = end < 0 ? target : target.slice(0, end)
  if (!mayNeedMask.test(path)) return path
  const segments: string[] = []
  for (const raw of path.split('/')) {
    const segment = decodeFully(fromRawBytes(raw))
    if (segment?.toLowerCase().split(/[/\\]/).includes(previewSegment)) {
      segments.push(previewSegment, masked)
      break
    }
    const hidesQuery = segment !== null && /[?#]/.test(segment)
    segments.push(segment === null || hidesQuery || segment.includes('@') ? masked : raw)
    if (hidesQuery) break
  }
  return segments.join('/')
}

const textParts = /[^\s/\\"'<>(),;:=?&#]+/g
const previewLink = new RegExp(`${reservedPaths.previews.path}/[^\\s"'<>]+`, 'gi')

/** A text of an error with e-mail addresses and preview links masked. */
export const maskText = (text: string): string =>
  text
    .replace(previewLink, `${reservedPaths.previews.path}/${masked}`)
    .replace(textParts, (part) => (/.@./.test(decodeFully(part) ?? '@@@') ? masked : part))
