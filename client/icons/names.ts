/** Every symbol of the sprite, sorted: one file `{name}.svg` beside this list. */
export const iconNames = [
  'apple', 'arrow-left', 'arrow-right', 'bot', 'briefcase', 'building', 'camera', 'cart', 'chart', 'chat', 'check',
  'chevron-down', 'close', 'code', 'coin', 'copy', 'dice', 'download', 'expand', 'external', 'facet', 'globe', 'grid', 'info', 'language',
  'layers', 'link', 'linux', 'mail', 'megaphone', 'menu', 'monitor', 'moon', 'play', 'refresh', 'search', 'shield', 'sun', 'tag',
  'ticket', 'user', 'users', 'warning', 'windows',
] as const
/** Every symbol is drawn on the same grid (spec section 5: four integers). */
export const iconViewBox = '0 0 24 24'
export type IconName = (typeof iconNames)[number]

/** Content names its icons freely; one that the sprite lacks becomes the facet. */
export const iconOr = (name: string | undefined): IconName => iconNames.find((known) => known === name) ?? 'facet'
