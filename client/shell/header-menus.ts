import { pageWillShowEvent } from '../navigation/current-page'

type Options = {
  header: HTMLElement
  /** Matches where the menu bar is shown instead of the drawer. */
  isWide: MediaQueryList
}
type Header = Options & {
  drawer: HTMLDetailsElement | null
  /** Content of the drawer; on wide windows it is the menu bar. */
  panel: Element | null
}

const focusable = 'a[href], button:not([disabled]), summary'
const inClosedDetails = 'details:not([open]) > :not(summary)'
/** Steps of the arrow keys from one link of a menu to the next. */
const arrowSteps = new Map([
  ['ArrowDown', 1],
  ['ArrowUp', -1],
])

const isDrawerOpen = ({ drawer, isWide }: Header): boolean =>
  Boolean(drawer?.open) && !isWide.matches

const focusableIn = (container: Element): HTMLElement[] =>
  [...container.querySelectorAll<HTMLElement>(focusable)].filter(
    (element) => !element.closest(inClosedDetails),
  )

/**
 * Open menus that cover the page. Lists inside the drawer push its content down and cover nothing.
 */
const openMenus = ({ header, panel, isWide }: Header): HTMLDetailsElement[] =>
  [...header.querySelectorAll<HTMLDetailsElement>('details[name][open]')].filter(
    (menu) => isWide.matches || !panel?.contains(menu),
  )

function close(menu: HTMLDetailsElement): void {
  menu.open = false
}

function closeAndFocusTitle(menu: HTMLDetailsElement): void {
  menu.open = false
  menu.querySelector('summary')?.focus()
}

/** While the drawer is open, the rest of the page is inert and the other menus are closed. */
function onDrawerToggle(header: Header): void {
  const isOpen = isDrawerOpen(header)
  for (const sibling of header.header.parentElement?.children ?? [])
    if (sibling !== header.header && sibling instanceof HTMLElement) sibling.inert = isOpen
  if (isOpen) for (const menu of openMenus(header)) close(menu)
}

/** The `toggle` of the drawer comes too late for the next page, which takes the focus at once. */
function onPageWillShow(header: Header): void {
  for (const menu of header.header.querySelectorAll<HTMLDetailsElement>('details[open]'))
    close(menu)
  onDrawerToggle(header)
}

/** A menu outside the drawer, such as the language menu, closes the drawer when it opens. */
function onMenuToggle(header: Header, { target }: Event): void {
  const { drawer, isWide } = header
  if (!drawer || isWide.matches || !(target instanceof HTMLDetailsElement)) return
  if (target.open && openMenus(header).includes(target)) drawer.open = false
}

/** A click outside a menu, or on one of its links, closes it. */
function onClick(header: Header, event: Event): void {
  const target = event.target instanceof Element ? event.target : null
  const isLink = Boolean(target?.closest('a[href]'))
  const dismisses = (container: Element): boolean =>
    !target || !container.contains(target) || isLink
  for (const menu of openMenus(header)) if (dismisses(menu)) close(menu)
  if (header.drawer && isDrawerOpen(header) && dismisses(header.header)) close(header.drawer)
}

/** A menu closes when the focus leaves it. */
function onFocusOut(header: Header, { relatedTarget }: FocusEvent): void {
  if (!(relatedTarget instanceof Node)) return
  for (const menu of openMenus(header)) if (!menu.contains(relatedTarget)) close(menu)
}

function onEscape(header: Header, event: KeyboardEvent): void {
  const menu = openMenus(header)[0] ?? (isDrawerOpen(header) ? header.drawer : null)
  if (!menu) return
  // The key has been used: it must not close anything else.
  event.preventDefault()
  closeAndFocusTitle(menu)
}

/** Keeps the focus inside the open drawer. */
function onTab({ drawer, panel }: Header, event: KeyboardEvent): void {
  if (!drawer || !panel) return
  const elements = [...focusableIn(drawer), ...focusableIn(panel)]
  const index = elements.findIndex((element) => element === event.target)
  const isAtEdge = index === (event.shiftKey ? 0 : elements.length - 1)
  if (index !== -1 && !isAtEdge) return
  event.preventDefault()
  const next = event.shiftKey ? elements.at(-1) : elements[0]
  next?.focus()
}

/**
 * Opens a menu and moves through its links. Arrow up on the title of a closed menu does nothing.
 */
function onArrow({ header, panel, isWide }: Header, event: KeyboardEvent): void {
  const step = arrowSteps.get(event.key)
  const target = event.target instanceof Element ? event.target : null
  const menu = target?.closest<HTMLDetailsElement>('details[name]')
  if (!step || !menu || !header.contains(menu)) return
  const isUpOnClosedMenu = target?.tagName === 'SUMMARY' && step < 0 && !menu.open
  if (isUpOnClosedMenu || (!isWide.matches && panel?.contains(menu))) return
  event.preventDefault()
  menu.open = true
  const elements = focusableIn(menu)
  const index = elements.findIndex((element) => element === target)
  elements[(index + step + elements.length) % elements.length]?.focus()
}

function onKeyDown(header: Header, event: KeyboardEvent): void {
  // A dialog that is open above the menus, such as the search, handles its keys itself.
  if (event.target instanceof Element && event.target.closest('dialog[open]')) return
  if (event.key === 'Escape') onEscape(header, event)
  else if (event.key === 'Tab' && header.panel && isDrawerOpen(header)) onTab(header, event)
  else onArrow(header, event)
}

/**
 * Makes the `details` of the header behave as menus and drawer: Escape, click outside, arrow keys,
 * and the focus stays in the open drawer.
 */
export function startHeaderMenus({ header: element, isWide }: Options): () => void {
  const document = element.ownerDocument
  const drawer = element.querySelector<HTMLDetailsElement>('details[data-drawer]')
  const header: Header = {
    header: element,
    isWide,
    drawer,
    panel: drawer?.nextElementSibling ?? null,
  }
  const listeners = new AbortController()
  const { signal } = listeners

  drawer?.addEventListener('toggle', () => onDrawerToggle(header), { signal })
  // `toggle` does not bubble.
  element.addEventListener('toggle', (event) => onMenuToggle(header, event), {
    capture: true,
    signal,
  })
  element.addEventListener('focusout', (event) => onFocusOut(header, event), { signal })
  document.addEventListener('click', (event) => onClick(header, event), { signal })
  document.addEventListener('keydown', (event) => onKeyDown(header, event), { signal })
  window.addEventListener(pageWillShowEvent, () => onPageWillShow(header), { signal })
  isWide.addEventListener(
    'change',
    () => {
      if (drawer && isWide.matches) drawer.open = false
    },
    { signal },
  )
  return () => listeners.abort()
}
