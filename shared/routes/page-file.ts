/** File of a route's page and name of its chunk: `blog-article` is `client/pages/BlogArticle.tsx`. */
export const pageFileOf = (routeId: string): string =>
  routeId.replace(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
