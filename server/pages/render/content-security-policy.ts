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
 * trusts these scripts and everything that they load. Injected HTML can repeat this script with a
 * `data-entry` of its choice, so only files of this origin's `/assets/` are inserted. In a frame
 * with `srcdoc` the origin is `null`, and nothing loads.
 */
export const loaderScript =
  "for(const s of document.currentScript.dataset.entry.split(' '))if(/^\\/assets\\/\\w[\\w.-]*$/.test(s)){const e=document.createElement('script');e.src=location.origin+s;e.async=false;document.head.append(e)}"

const hashSource = (script: string): string =>
  `'sha256-${createHash('sha256').update(script).digest('base64')}'`
const constantHashes = [themeScript, loaderScript].map(hashSource)

/** Origins from site.yaml and from settings. */
type PolicyOrigins = SiteConfig['csp']

/** Policies without a nonce, which nearly all pages have, by their origins. */
const cached = new WeakMap<PolicyOrigins, Partial<Record<'http' | 'https', string>>>()

/**
 * The content security policy of a page (spec 8.7), without `'unsafe-inline'`. `nonce` allows the
 * inline scripts with which React puts late parts of a streamed response in place.
 */
export function contentSecurityPolicy(
  origins: PolicyOrigins,
  nonce: string | undefined,
  isSecure: boolean,
): string {
  if (nonce) return buildPolicy(origins, [`'nonce-${nonce}'`], isSecure)
  const known = cached.get(origins) ?? {}
  cached.set(origins, known)
  return (known[isSecure ? 'https' : 'http'] ??= buildPolicy(origins, [], isSecure))
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
