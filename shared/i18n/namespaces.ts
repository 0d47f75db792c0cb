import { namespaces } from './generated-namespaces'

/** Name of a file of texts below `locales/{code}/`. */
export type Namespace = (typeof namespaces)[number]

/** Texts of the shell: header, footer, notices. Every page receives them. */
export const shellNamespace = 'shell' as const satisfies Namespace

/** Texts of menus and breadcrumbs, which the server renders: no page sends them to the browser. */
export const menusNamespace = 'menus' as const satisfies Namespace

/** Texts of dialogs: fetched when a dialog opens, and part of no page. */
export const lateNamespaces = ['message', 'search'] as const satisfies readonly Namespace[]

export { namespaces }
