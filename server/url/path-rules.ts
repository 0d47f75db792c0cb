/** Rules 2 to 5 (spec 3.2–3.5): the spelling of the path alone. */
type PathRule = { name: string; when: RegExp; apply: (path: string) => string }

export const pathRules: readonly PathRule[] = [
  { name: 'backslash', when: /\\/, apply: (path) => path.replaceAll('\\', '/') },
  { name: 'repeated slashes', when: /\/\//, apply: (path) => path.replace(/\/{2,}/g, '/') },
  { name: 'dot segments', when: /\/\.\.?(?:\/|$)/, apply: resolveDotSegments },
  { name: 'index.html', when: /\/index\.html$/, apply: removeSuffixes },
  { name: '.html suffix', when: /\.html$/, apply: removeSuffixes },
  { name: 'trailing slash', when: /.\/$/, apply: (path) => path.slice(0, -1) },
  {
    name: 'capital letters',
    when: /^(?:%[0-9a-fA-F]{2}|[^A-Z%])*[A-Z]/,
    // Percent-encoded bytes keep their capitals: `%2F` is data.
    apply: (path) =>
      path.replace(/%[0-9a-fA-F]{2}|[A-Z]/g, (part) =>
        part.length === 1 ? part.toLowerCase() : part,
      ),
  },
]

/** One test instead of seven shows for almost every path that no rule applies. */
const mayNeedRule = /[\\A-Z]|\/\/|\/\.|\.html$|.\/$/

/** As a browser resolves `.` and `..`. */
function resolveDotSegments(path: string): string {
  const resolved: string[] = []
  const segments = path.split('/').slice(1)
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1
    if (segment === '..') resolved.pop()
    if (segment !== '.' && segment !== '..') resolved.push(segment)
    else if (isLast) resolved.push('')
  }
  return `/${resolved.join('/')}`
}

/**
 * Removes `.html` and `/index.html`, and what is then at the end of the path: slashes, dot segments
 * and further suffixes. All at once, because a target can repeat them a thousand times.
 */
function removeSuffixes(path: string): string {
  let rest = path
  while (rest !== '/') {
    if (rest.endsWith('/index.html')) rest = rest.slice(0, -'index.html'.length)
    else if (rest.endsWith('.html')) rest = rest.slice(0, -'.html'.length)
    else if (rest.endsWith('/..')) rest = rest.slice(0, rest.lastIndexOf('/', rest.length - 4) + 1)
    else if (rest.endsWith('/.') || rest.endsWith('/')) rest = rest.slice(0, -1)
    else break
  }
  return rest
}

/** Applies the first rule that the path needs; null when it needs none. */
export function applyPathRule(path: string): { path: string; rule: string } | null {
  if (!mayNeedRule.test(path)) return null
  const rule = pathRules.find(({ when }) => when.test(path))
  return rule ? { path: rule.apply(path), rule: rule.name } : null
}

/** The path after all rules: the form in which the redirect table keeps its rows. */
export function canonicalizePath(path: string): string {
  const step = applyPathRule(path)
  return step ? canonicalizePath(step.path) : path
}
