/** Every symbol of the sprite, sorted: one file `{name}.svg` beside this list. */
export const iconNames = [
  'apple', 'arrow-left', 'arrow-right', 'bot', 'briefcase', 'building', 'camera', 'cart', 'chart', 'chat', 'check',
  'chevron-down', 'close', 'code', 'coin', 'copy', 'dice', 'download', 'external', 'facet', 'globe', 'grid', 'info', 'language',
  'layers', 'link', 'linux', 'megaphone', 'menu', 'monitor', 'moon', 'play', 'refresh', 'search', 'shield', 'sun', 'tag',
  'ticket', 'user', 'users', 'warning', 'windows',
] as const
export type IconName = (typeof iconNames)[number]

/** Content names its icons freely; one that the sprite lacks becomes the facet. */
export const iconOr = (name: string | undefined): IconName => iconNames.find((known) => known === name) ?? 'facet'
