/** `robots.txt` of a host (RFC 9309). `indexing` off, as on staging, keeps every robot out. */
export const robotsText = (origin: string, indexing: boolean): string =>
  indexing
    ? `User-agent: *\nDisallow: /api/\nDisallow: /_ops/\nDisallow: /_preview/\n\nSitemap: ${origin}/sitemap.xml\n`
    : 'User-agent: *\nDisallow: /\n'
