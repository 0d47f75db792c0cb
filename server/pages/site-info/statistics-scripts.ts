import { createHash } from 'node:crypto'
import { reservedPaths } from '../../../shared/reserved-paths'
import type { BaseInfo } from '../../content/store/read-base-info'

/** A script of the operator's statistics snippets: external, or inline, which the site serves. */
export type SnippetScript = { src: string } | { text: string; hash: string }

const scriptElement = /<script\b([^>]*)>([\s\S]*?)<\/script\s*>/gi
const sourceAttribute = /\bsrc\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i
const typeAttribute = /\btype\s*=\s*["']?([^\s"'>]*)/i
const runnable = /^(?:$|module$|(?:text|application)\/(?:java|ecma)script$)/i

/**
 * The scripts in an operator's HTML, in order (spec 7.10). Other elements, scripts of other types
 * and URLs that are not http or https are left out.
 */
export function snippetScripts(html: string): SnippetScript[] {
  return [...html.matchAll(scriptElement)].flatMap(
    ([, attributes = '', text = '']): SnippetScript[] => {
      if (!runnable.test(typeAttribute.exec(attributes)?.[1] ?? '')) return []
      const source = sourceAttribute.exec(attributes)
      if (!source)
        return text.trim()
          ? [{ text, hash: createHash('sha256').update(text).digest('hex').slice(0, 32) }]
          : []
      const address = (source[1] ?? source[2] ?? source[3] ?? '').replaceAll('&amp;', '&')
      const absolute = address.startsWith('//') ? `https:${address}` : address
      return URL.canParse(absolute) && /^https?:$/.test(new URL(absolute).protocol)
        ? [{ src: absolute }]
        : []
    },
  )
}

/** URLs of the scripts in an operator's HTML. */
export const scriptAddresses = (html: string): string[] =>
  snippetScripts(html).map((script) =>
    'src' in script ? script.src : `${reservedPaths.snippets.path}/${script.hash}.js`,
  )

/** Text of the inline script with a hash, in the snippets of base info. */
export function inlineScript(
  { statistical_title, statistical_body }: Pick<BaseInfo, 'statistical_title' | 'statistical_body'>,
  hash: string,
): string | null {
  for (const script of [...snippetScripts(statistical_title), ...snippetScripts(statistical_body)])
    if ('text' in script && script.hash === hash) return script.text
  return null
}
