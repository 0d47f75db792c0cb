import { namespaces } from './generated-namespaces'

/** Name of a file of texts below `locales/{code}/`. */
export type Namespace = (typeof namespaces)[number]

/** Texts of the header, of floating elements and of several pages. Pages with a shell receive them. */
export const shellNamespace = 'shell' as const satisfies Namespace

/** Texts that a navigation needs, also on a page without a shell. Every page receives them. */
export const navigationNamespace = 'navigation' as const satisfies Namespace

/**
 * Texts of menus, breadcrumbs and the footer, which the server renders: no page sends them to the
 * browser.
 */
export const menusNamespace = 'menus' as const satisfies Namespace

/** Texts of dialogs: fetched when a dialog opens, and part of no page. */
export const lateNamespaces = ['message', 'search'] as const satisfies readonly Namespace[]

export { namespaces }
