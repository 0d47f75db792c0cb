/** Files of interface text below `locales/{code}/`. A page receives `shell` and the namespaces of its route row. */
export const namespaces = [
  'shell', 'home', 'about', 'app', 'article', 'categories', 'download', 'errors', 'faq', 'icons', 'landing', 'links', 'lists', 'offer',
  'partner-plan', 'pre-sales', 'pricing', 'referral-program',
] as const
export type Namespace = (typeof namespaces)[number]
/** What every page needs: header, footer, menus, notices. */
export const shellNamespace: Namespace = 'shell'
