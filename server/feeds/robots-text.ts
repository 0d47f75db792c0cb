import { reservedPaths } from '../../shared/reserved-paths'

const disallowed = Object.values(reservedPaths)
  .filter((reserved) => 'disallowed' in reserved)
  .map(({ path }) => `Disallow: ${path}/\n`)
  .join('')

/** `robots.txt` of a host (RFC 9309). Without `indexing`, as on staging, it excludes every page. */
export const robotsText = (origin: string, indexing: boolean): string =>
  indexing
    ? `User-agent: *\n${disallowed}\nSitemap: ${origin}/sitemap.xml\n`
    : 'User-agent: *\nDisallow: /\n'
