/** Files of interface text below `locales/{code}/`. A page receives `shell` and the namespaces of its route row. */
export const namespaces = [
  'shell',
  'home',
  'about',
  'app',
  'article',
  'categories',
  'docs',
  'download',
  'errors',
  'faq',
  'icons',
  'landing',
  'links',
  'lists',
  'message',
  'offer',
  'partner-plan',
  'pre-sales',
  'pricing',
  'referral-program',
  'search',
] as const
export type Namespace = (typeof namespaces)[number]
/** Of parts that a visitor opens: fetched with their code, carried by no page. */
export const lateNamespaces = ['message', 'search'] as const satisfies readonly Namespace[]
/** What every page needs: header, footer, menus, notices. */
export const shellNamespace: Namespace = 'shell'
