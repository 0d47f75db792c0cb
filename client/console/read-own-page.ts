/** What the HTML of a page says about it. */
export type PageHead = {
  cacheStatus: string
  title: string
  robots: string
  picture: string | null
  structuredData: string[]
}

/**
 * Reads a page of this host as a visitor gets it; null for a page of another language host, which
 * the browser does not let the console read.
 */
export async function readOwnPage(url: string): Promise<PageHead | null> {
  const { origin, pathname, search } = new URL(url)
  if (origin !== window.location.origin) return null
  const response = await fetch(pathname + search, { credentials: 'omit' })
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const meta = (name: string): string =>
    page.querySelector(`meta[name="${name}"], meta[property="${name}"]`)?.getAttribute('content') ??
    ''
  const picture = meta('og:image')
  return {
    cacheStatus: response.headers.get('Cache-Status') ?? '',
    title: page.title,
    robots: meta('robots') || 'index',
    // The policy allows pictures of this host only.
    picture: picture && new URL(picture).origin === origin ? picture : null,
    structuredData: [...page.querySelectorAll('script[type="application/ld+json"]')].map(
      ({ textContent }) => textContent,
    ),
  }
}
