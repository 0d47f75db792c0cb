type Page = {
  performance: Pick<Performance, 'getEntriesByType'>
  location: Pick<Location, 'origin'>
}
type ResourceTiming = Pick<
  PerformanceResourceTiming,
  'initiatorType' | 'name' | 'transferSize' | 'decodedBodySize'
> & {
  /** Missing in older browsers. */
  responseStatus?: number
}

/**
 * Initiators that load files of a page. Failed requests of scripts are reported by their callers.
 */
const fileInitiators: ReadonlySet<string> = new Set([
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
 * Files of the page that did not load, by Resource Timing: the answer has an error status, or the
 * site itself did not answer. Answers of other origins may hide their status and then look like
 * missing ones, so those are not counted. Browsers that record no status report nothing.
 */
export function findFailedResources({
  performance,
  location,
}: Page): Array<{ element: string; address: string }> {
  const entries: readonly ResourceTiming[] = performance.getEntriesByType('resource')
  return entries.flatMap((entry) => {
    const { initiatorType, responseStatus, name, transferSize, decodedBodySize } = entry
    if (!fileInitiators.has(initiatorType) || responseStatus === undefined) return []
    const hasNoAnswer =
      responseStatus === 0 &&
      transferSize === 0 &&
      decodedBodySize === 0 &&
      name.startsWith(`${location.origin}/`)
    return responseStatus >= 400 || hasNoAnswer ? [{ element: initiatorType, address: name }] : []
  })
}
