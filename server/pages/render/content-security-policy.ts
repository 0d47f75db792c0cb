import { createHash } from 'node:crypto'
import type { SiteConfig } from '../../content/site-config'

/**
 * First in the head: the first paint has the theme that the visitor chose
 * (`client/shell/theme.ts`). The policy allows this script and the next by their hashes, so they
 * are constants.
 */
export const themeScript =
  "try{const t=localStorage.getItem('theme');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}"

/**
 * After the shell: inserts the entry scripts that its `data-entry` names. `'strict-dynamic'` then
 * trusts these scripts and everything that they load.
 */
export const loaderScript =
  "for(const s of document.currentScript.dataset.entry.split(' ')){const e=document.createElement('script');e.src=s;e.async=false;document.head.append(e)}"

export const hashSource = (script: string): string =>
  `'sha256-${createHash('sha256').update(script).digest('base64')}'`
const constantHashes = [themeScript, loaderScript].map(hashSource)

/** Origins from site.yaml and from settings. */
export type PolicyOrigins = SiteConfig['csp']

/** Policies without further scripts, which nearly all pages have, by their origins. */
const cached = new WeakMap<PolicyOrigins, Partial<Record<'http' | 'https', string>>>()

/**
 * The content security policy of a page (spec 8.7), without `'unsafe-inline'`. `scripts` are
 * further sources: the nonce of a streamed response, or hashes of React's inline scripts in the
 * stored copy.
 */
export function contentSecurityPolicy(
  origins: PolicyOrigins,
  scripts: readonly string[],
  isSecure: boolean,
): string {
  if (scripts.length > 0) return buildPolicy(origins, scripts, isSecure)
  const known = cached.get(origins) ?? {}
  cached.set(origins, known)
  return (known[isSecure ? 'https' : 'http'] ??= buildPolicy(origins, scripts, isSecure))
}

function buildPolicy(
  origins: PolicyOrigins,
  scripts: readonly string[],
  isSecure: boolean,
): string {
  const directives: Array<readonly [name: string, sources: readonly string[]]> = [
    ['default-src', ["'none'"]],
    ['script-src', [...constantHashes, ...scripts, "'strict-dynamic'"]],
    ['style-src', ["'self'", ...origins.style]],
    ['img-src', ["'self'", ...origins.img]],
    ['font-src', ["'self'"]],
    ['connect-src', ["'self'", ...origins.connect]],
    ...(origins.frame.length > 0 ? [['frame-src', origins.frame] as const] : []),
    ['manifest-src', ["'self'"]],
    ['form-action', ["'self'"]],
    ['base-uri', ["'none'"]],
    ['object-src', ["'none'"]],
    ['frame-ancestors', ["'none'"]],
    ...(isSecure ? [['upgrade-insecure-requests', []] as const] : []),
  ]
  return directives.map(([name, sources]) => [name, ...sources].join(' ')).join('; ')
}
