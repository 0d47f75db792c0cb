/** What `details` lack as menus and drawer: Escape, click outside, arrow keys, focus kept in the open drawer. */
type Options = {
  header: HTMLElement
  /** Whether the bar is shown instead of the drawer. */ wide: MediaQueryList
}

const reachable = 'a[href], button:not([disabled]), summary'
const inClosed = 'details:not([open]) > :not(summary)'

export function startHeaderMenus({ header, wide }: Options): () => void {
  const page = header.ownerDocument
  const drawer = header.querySelector<HTMLDetailsElement>('details[data-drawer]')
  const panel = drawer?.nextElementSibling
  const isOpenDrawer = (): boolean => Boolean(drawer?.open) && !wide.matches
  const targets = (within: Element): HTMLElement[] =>
    [...within.querySelectorAll<HTMLElement>(reachable)].filter(
      (element) => !element.closest(inClosed),
    )
  /** Menus that hang over the page: those of the bar, and the language menu; lists inside the drawer cover nothing. */
  const hanging = (): HTMLDetailsElement[] =>
    [...header.querySelectorAll<HTMLDetailsElement>('details[name][open]')].filter(
      (menu) => wide.matches || !panel?.contains(menu),
    )
  const close = (menu: HTMLDetailsElement, giveBackFocus: boolean): void => {
    menu.open = false
    if (giveBackFocus) menu.querySelector('summary')?.focus()
  }

  const onToggle = (): void => {
    const open = isOpenDrawer()
    for (const other of header.parentElement?.children ?? [])
      if (other !== header && other instanceof HTMLElement) other.inert = open
    if (open) for (const menu of hanging()) close(menu, false)
  }
  const onMenuToggle = (event: Event): void => {
    if (
      drawer &&
      event.target instanceof HTMLDetailsElement &&
      event.target.open &&
      hanging().includes(event.target) &&
      !wide.matches
    )
      drawer.open = false
  }
  const onWide = (): void => {
    if (drawer && wide.matches) drawer.open = false
  }
  const onClick = (event: MouseEvent): void => {
    const target = event.target instanceof Element ? event.target : null
    const followed = target?.closest('a[href]')
    for (const menu of hanging())
      if (!target || !menu.contains(target) || followed) close(menu, false)
    if (drawer && isOpenDrawer() && (!target || !header.contains(target) || followed))
      close(drawer, false)
  }
  const onFocusOut = (event: FocusEvent): void => {
    const to = event.relatedTarget
    if (to instanceof Node) for (const menu of hanging()) if (!menu.contains(to)) close(menu, false)
  }
  const onArrow = (event: KeyboardEvent, menu: HTMLDetailsElement): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const onTitle = event.target instanceof Element && event.target.tagName === 'SUMMARY'
    if (!step || (onTitle && step < 0 && !menu.open) || (!wide.matches && panel?.contains(menu)))
      return
    event.preventDefault()
    menu.open = true
    const all = targets(menu)
    all[(all.indexOf(event.target as HTMLElement) + step + all.length) % all.length]?.focus()
  }
  const onKey = (event: KeyboardEvent): void => {
    const within = event.target instanceof Element ? event.target : null
    if (event.key === 'Escape') {
      const [menu] = hanging()
      if (menu) close(menu, true)
      else if (drawer && isOpenDrawer()) close(drawer, true)
      return
    }
    if (event.key === 'Tab' && drawer && panel && isOpenDrawer()) {
      const all = [...targets(drawer), ...targets(panel)]
      const here = within instanceof HTMLElement ? all.indexOf(within) : -1
      const edge = here === -1 || (event.shiftKey ? here === 0 : here === all.length - 1)
      if (!edge) return
      event.preventDefault()
      ;(event.shiftKey ? all.at(-1) : all[0])?.focus()
      return
    }
    const menu = within?.closest<HTMLDetailsElement>('details[name]')
    if (menu && header.contains(menu)) onArrow(event, menu)
  }

  drawer?.addEventListener('toggle', onToggle)
  // `toggle` does not bubble.
  header.addEventListener('toggle', onMenuToggle, true)
  header.addEventListener('focusout', onFocusOut)
  page.addEventListener('click', onClick)
  page.addEventListener('keydown', onKey)
  wide.addEventListener('change', onWide)
  return () => {
    drawer?.removeEventListener('toggle', onToggle)
    header.removeEventListener('toggle', onMenuToggle, true)
    header.removeEventListener('focusout', onFocusOut)
    page.removeEventListener('click', onClick)
    page.removeEventListener('keydown', onKey)
    wide.removeEventListener('change', onWide)
  }
}
