/** Headings in the upper part of the window count as being read; below it the next one is still to come. */
const readingArea = '-72px 0px -60% 0px'

/** Marks the link to the heading being read: the last one that has passed the upper part of the window. Returns the end. */
export function followHeadings(list: HTMLElement): () => void {
  const links = Array.from(list.querySelectorAll<HTMLAnchorElement>('a[href^="#"]'))
  const headings = links.flatMap(
    (link) => document.getElementById(decodeURIComponent(link.hash.slice(1))) ?? [],
  )
  const mark = (): void => {
    const limit = window.innerHeight * 0.4
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < limit).at(-1)
    for (const link of links) {
      if (passed && decodeURIComponent(link.hash.slice(1)) === passed.id)
        link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
    }
  }
  const observer = new IntersectionObserver(mark, { rootMargin: readingArea })
  for (const heading of headings) observer.observe(heading)
  return () => observer.disconnect()
}
