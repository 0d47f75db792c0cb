type Page = {
  performance: Pick<Performance, 'getEntriesByType'>
  location: Pick<Location, 'origin'>
}

/** What loads files of a page. Requests of scripts are reported by those who made them. */
const loaders: ReadonlySet<string> = new Set([
  'img',
  'image',
  'link',
  'script',
  'css',
  'video',
  'audio',
  'track',
  'iframe',
  'input',
  'embed',
  'object',
])

/**
 * Files of the page that did not load, as the browser has noted them (Resource Timing): an answer with an error's status, or none at all from the
 * site itself. An answer of another origin that keeps its status to itself looks like none, so that says nothing. Browsers that note no status tell nothing.
 */
export function failedLoads({
  performance,
  location,
}: Page): Array<{ element: string; address: string }> {
  return performance.getEntriesByType('resource').flatMap((entry) => {
    const { initiatorType, responseStatus, name, transferSize, decodedBodySize } =
      entry as PerformanceResourceTiming
    if (!loaders.has(initiatorType) || responseStatus === undefined) return []
    const none =
      responseStatus === 0 &&
      transferSize === 0 &&
      decodedBodySize === 0 &&
      name.startsWith(`${location.origin}/`)
    return responseStatus >= 400 || none ? [{ element: initiatorType, address: name }] : []
  })
}
