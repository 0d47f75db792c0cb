/** The twelve collections of `content/` (decisions 6). */
export const collections = [
  'blog',
  'news',
  'guide',
  'helps',
  'docs',
  'solutions',
  'features',
  'industries',
  'alternatives',
  'partner',
  'release',
  'pages',
] as const
export type Collection = (typeof collections)[number]
export const isCollection = (value: string): value is Collection =>
  (collections as readonly string[]).includes(value)

/** Systems that a client version may exist for (spec section 7, decisions 6). */
export const systems = ['com_win64', 'com_win32', 'com_mac', 'com_arm64', 'com_linux'] as const
export type System = (typeof systems)[number]
