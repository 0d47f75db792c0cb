/** The part of the window, below the header, in which a heading becomes the current one. */
const readingArea = '-72px 0px -60% 0px'

/**
 * Marks the link to the current heading: the last one above the limit. Returns a function to stop.
 */
export function startScrollSpy(list: HTMLElement): () => void {
  const links = Array.from(list.querySelectorAll<HTMLAnchorElement>('a[href^="#"]'))
  const headings = links.flatMap(
    (link) => document.getElementById(decodeURIComponent(link.hash.slice(1))) ?? [],
  )
  const mark = (): void => {
    const limit = window.innerHeight * 0.4
    const current = headings.filter((heading) => heading.getBoundingClientRect().top < limit).at(-1)
    for (const link of links) {
      if (current && decodeURIComponent(link.hash.slice(1)) === current.id)
        link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
    }
  }
  const observer = new IntersectionObserver(mark, { rootMargin: readingArea })
  for (const heading of headings) observer.observe(heading)
  return () => observer.disconnect()
}
