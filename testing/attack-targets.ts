/**
 * Request targets that make servers leave a folder or redirect to another site, in the spellings of
 * public lists of attacks: dots and slashes raw, encoded once and twice, as overlong or fullwidth
 * characters, as backslashes, with parameters, line breaks and NUL.
 */

/** What some server or library reads as `..`. */
const dots = [
  '..',
  '%2e%2e',
  '.%2e',
  '%2E.',
  '%252e%252e',
  '%%32%65%%32%65',
  '%c0%ae%c0%ae',
  '%e0%80%ae%e0%80%ae',
  '%u002e%u002e',
  '%ef%bc%8e%ef%bc%8e',
  '..;',
  '..%00',
  '...',
  '....//..',
] as const
/** What some server or library reads as `/`. */
const slashes = [
  '/',
  '\\',
  '%2f',
  '%5c',
  '%252f',
  '%255c',
  '%%32%66',
  '%c0%af',
  '%c1%9c',
  '%e0%80%af',
  '%u2215',
  '%ef%bc%8f',
  '/./',
  '//',
  '\\/',
  '/%20/',
  ';/',
] as const
/** Parts of the site that read files or forward requests. */
const prefixes = [
  '/',
  '/es/',
  '/blog/',
  '/assets/',
  '/downloads/',
  '/_image/_/',
  '/_image/w_992,f_webp/content/',
  '/_og/0123456789abcdef/',
  '/_preview/',
  '/_snippets/',
  '/__nuxt_island/',
  '/builds/',
  '/builds/meta/',
  '/api/',
  '/_ops/',
] as const
const suffixes = ['', '%00', '%00.png', '%23', '?', '.html', '/_payload.json', '.md'] as const

/** Deeper than any folder that is served. */
const depth = 9

/** Targets that lead to `/etc/passwd`, and to `package.json` of the project. */
export const traversals: readonly string[] = prefixes.flatMap((prefix, prefixIndex) =>
  dots.flatMap((up, upIndex) =>
    slashes.flatMap((slash, index) => {
      const suffix = suffixes[(prefixIndex + upIndex + index) % suffixes.length] ?? ''
      const toRoot = (up + slash).repeat(depth)
      const toProject = (up + slash).repeat(1 + (index % 4))
      return index % 2 === 0
        ? [`${prefix}${toRoot}etc${slash}passwd${suffix}`]
        : [`${prefix}${toProject}package.json${suffix}`]
    }),
  ),
)

/** What browsers may read as the start of another host. */
const openings = [
  '//',
  '///',
  '/////',
  '/\\',
  '\\\\',
  '/\\/\\',
  '\\/',
  '/%09/',
  '/%5c',
  '/%2f%2f',
  '//%5c',
  '/.',
  '/;@',
  '/@',
  '/:@',
  '//;@',
  '//localhost@',
  '//localhost%40',
  '/https:',
  '/https:/',
  '/https://',
  '//https://',
  '//https:///',
  '/<>//',
  '/es//',
  '/es/\\',
  '/ru/..//',
  '/zh//',
  '/index.html//',
  '/.//',
  '/..//',
  '/%2e%2e//',
] as const
const otherHosts = [
  'evil.example',
  'evil.example/%2e%2e',
  'evil.example/%2f%2e%2e',
  'evil%E3%80%82example',
  'evil.example%00.localhost',
  'evil.example:80',
  '[::1]',
] as const
/** With each of these, one rule of canonical URLs or more redirects. */
const endings = ['/', '.html', '/index.html', '?page=1', '/..', '/X', '/_payload.json'] as const

/** Targets that a careless redirect turns into another site. */
export const otherSites: readonly string[] = openings.flatMap((opening) =>
  otherHosts.flatMap((host) => endings.map((ending) => opening + host + ending)),
)
