import { createHash } from 'node:crypto'
import type { BaseInfo } from '../../content/store/read-base-info'

/** A script of the operator's statistics snippets: loaded from elsewhere, or its own text, which this site serves as a file. */
export type SnippetScript = { src: string } | { text: string; hash: string }

/** Below which inline scripts of snippets are served, each by its hash. */
export const snippetsPath = '/_snippets'

const scriptElement = /<script\b([^>]*)>([\s\S]*?)<\/script\s*>/gi
const sourceAttribute = /\bsrc\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i
const typeAttribute = /\btype\s*=\s*["']?([^\s"'>]*)/i
const runnable = /^(?:$|module$|(?:text|application)\/(?:java|ecma)script$)/i

/** The scripts in an operator's HTML, in order (decisions 7). What is no script, or would not run, is left out; so is what is not http or https. */
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

/** Addresses of a snippet's scripts, as the browser loads them. */
export const scriptAddresses = (html: string): string[] =>
  snippetScripts(html).map((script) =>
    'src' in script ? script.src : `${snippetsPath}/${script.hash}.js`,
  )

/** Text of the inline script with a hash, in the snippets of a language's base info. */
export function inlineScript(
  { statistical_title, statistical_body }: Pick<BaseInfo, 'statistical_title' | 'statistical_body'>,
  hash: string,
): string | null {
  for (const script of [...snippetScripts(statistical_title), ...snippetScripts(statistical_body)])
    if ('text' in script && script.hash === hash) return script.text
  return null
}
