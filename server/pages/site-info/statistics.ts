import { escapeHtml } from '../../../shared/escape-html'
import { reservedPaths } from '../../../shared/reserved-paths'
import type { SiteConfig } from '../../content/site-config'
import type { BaseInfo } from '../../content/store/read-base-info'
import { parseSnippet, type Snippet, type SnippetPixel } from './parse-snippet'

type Snippets = Pick<BaseInfo, 'statistical_title' | 'statistical_body'>
type PolicyOrigins = Pick<SiteConfig['csp'], 'img' | 'frame'>

/** The statistics snippets as pages use them (spec 7.10). */
export type Statistics = {
  /** Markup in the head: verification tags. */
  head: string
  /** Markup at the end of the body, for visitors without scripts. */
  noscript: string
  /** URLs of the scripts, in order, by the snippet that holds them. */
  scripts: { head: readonly string[]; body: readonly string[] }
  /** URLs of the pictures that the browser loads where measuring is allowed. */
  pixels: readonly string[]
  /** What is left out, in words for the operator. */
  leftOut: readonly string[]
}

/** Whether a source of the content security policy allows an https URL (CSP 3, 6.7.2.8). */
function allows(source: string, { hostname, port, pathname }: URL): boolean {
  const [, host = '', sourcePort = '', path = ''] =
    /^https:\/\/([^/:]+)(?::(\d+))?(\/.*)?$/i.exec(source) ?? []
  const name = host.toLowerCase()
  const isHost = name.startsWith('*') ? hostname.endsWith(name.slice(1)) : hostname === name
  const isPath = path.endsWith('/') ? pathname.startsWith(path) : path === '' || pathname === path
  return host !== '' && isHost && (sourcePort || '443') === (port || '443') && isPath
}

const listOf = { img: 'img', iframe: 'frame' } as const
const isAllowed = ({ element, src }: SnippetPixel, origins: PolicyOrigins): boolean =>
  origins[listOf[element]].some((source) => allows(source, new URL(src)))

const pixelMarkup = ({ element, src }: SnippetPixel): string =>
  element === 'img'
    ? `<img src="${escapeHtml(src)}" alt="" width="1" height="1" hidden>`
    : `<iframe src="${escapeHtml(src)}" title="" width="1" height="1" hidden></iframe>`

/** Attributes of the snippet may hold anything. */
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 200)

const scriptAddresses = ({ scripts }: Snippet): string[] =>
  scripts.map((script) =>
    'src' in script ? script.src : `${reservedPaths.snippets.path}/${script.hash}.js`,
  )

export function readStatistics(
  { statistical_title, statistical_body }: Snippets,
  origins: PolicyOrigins,
): Statistics {
  const [head, body] = [parseSnippet(statistical_title), parseSnippet(statistical_body)]
  const pixels = [...head.pixels, ...body.pixels]
  const allowed = pixels.filter((pixel) => isAllowed(pixel, origins))
  return {
    head: [...head.verification, ...body.verification]
      .map(
        ({ attribute, name, content }) =>
          `<meta ${attribute}="${escapeHtml(name)}" content="${escapeHtml(content)}">`,
      )
      .join(''),
    noscript: allowed.length > 0 ? `<noscript>${allowed.map(pixelMarkup).join('')}</noscript>` : '',
    scripts: { head: scriptAddresses(head), body: scriptAddresses(body) },
    pixels: allowed
      .filter(({ element, inNoscript }) => element === 'img' && !inNoscript)
      .map(({ src }) => src),
    leftOut: [
      ...head.leftOut,
      ...body.leftOut,
      ...pixels
        .filter((pixel) => !allowed.includes(pixel))
        .map(
          ({ element, src }) =>
            `<${element}> of ${new URL(src).origin}: not listed under csp.${listOf[element]}`,
        ),
    ].map(oneLine),
  }
}

const cached = new WeakMap<Snippets, { origins: PolicyOrigins; statistics: Statistics }>()

/** The same object until base info or the origins, which are the same objects too, change. */
export function statisticsOf(base: Snippets, origins: PolicyOrigins): Statistics {
  const known = cached.get(base)
  if (known?.origins === origins) return known.statistics
  const statistics = readStatistics(base, origins)
  cached.set(base, { origins, statistics })
  return statistics
}

/** Text of the inline script with a hash, in the snippets of base info. */
export function inlineScript(
  { statistical_title, statistical_body }: Snippets,
  hash: string,
): string | null {
  for (const html of [statistical_title, statistical_body])
    for (const script of parseSnippet(html).scripts)
      if ('text' in script && script.hash === hash) return script.text
  return null
}
