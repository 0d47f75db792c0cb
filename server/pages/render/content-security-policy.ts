import { createHash } from 'node:crypto'
import type { SiteConfig } from '../../content/site-config'

/**
 * The two inline scripts of every page are constants, allowed by their hashes. This one stands first in the head: a
 * visitor who chose a theme (`client/shell/theme.ts`) sees it at the first paint, without a flash of the other.
 */
export const themeScript =
  "try{const t=localStorage.getItem('theme');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}"

/**
 * This one stands after the shell. It inserts the entry scripts that the page's
 * `data-entry` names, which `'strict-dynamic'` then trusts, and everything that they load.
 */
export const loaderScript =
  "for(const s of document.currentScript.dataset.entry.split(' ')){const e=document.createElement('script');e.src=s;e.async=false;document.head.append(e)}"

export const hashSource = (script: string): string =>
  `'sha256-${createHash('sha256').update(script).digest('base64')}'`
const constantHashes = [themeScript, loaderScript].map(hashSource)

/** Further origins that a policy allows, from site.yaml and from settings. */
export type PolicyOrigins = SiteConfig['csp']

/** Policies of pages without further scripts, almost all: put together once for their origins. */
const plain = new WeakMap<PolicyOrigins, Partial<Record<'http' | 'https', string>>>()

/**
 * The policy of a page, as strict on a stored page as on a streamed one: no `'unsafe-inline'` anywhere. `scripts` are
 * further script sources: the nonce of one streamed answer, or the hashes of React's inline scripts in its stored copy.
 */
export function contentSecurityPolicy(
  origins: PolicyOrigins,
  scripts: readonly string[],
  secure: boolean,
): string {
  if (scripts.length > 0) return policyOf(origins, scripts, secure)
  const known = plain.get(origins) ?? {}
  plain.set(origins, known)
  return (known[secure ? 'https' : 'http'] ??= policyOf(origins, scripts, secure))
}

function policyOf(origins: PolicyOrigins, scripts: readonly string[], secure: boolean): string {
  const directives: Array<[string, readonly string[]]> = [
    ['default-src', ["'none'"]],
    ['script-src', [...constantHashes, ...scripts, "'strict-dynamic'"]],
    ['style-src', ["'self'", ...origins.style]],
    ['img-src', ["'self'", ...origins.img]],
    ['font-src', ["'self'"]],
    ['connect-src', ["'self'", ...origins.connect]],
    ...(origins.frame.length > 0
      ? [['frame-src', origins.frame] as [string, readonly string[]]]
      : []),
    ['manifest-src', ["'self'"]],
    ['form-action', ["'self'"]],
    ['base-uri', ["'none'"]],
    ['object-src', ["'none'"]],
    ['frame-ancestors', ["'none'"]],
    ...(secure ? [['upgrade-insecure-requests', []] as [string, readonly string[]]] : []),
  ]
  return directives.map(([name, sources]) => [name, ...sources].join(' ')).join('; ')
}
