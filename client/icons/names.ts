import { viewBoxes } from './view-boxes'

export type IconName = keyof typeof viewBoxes
const isIconName = (name: string): name is IconName => Object.hasOwn(viewBoxes, name)

/** Every symbol of the sprite, sorted: one for each file beside this one. */
export const iconNames: readonly IconName[] = Object.keys(viewBoxes).filter(isIconName)
/** The grid that a symbol is drawn on: four integers (spec 12.4). */
export const viewBoxOf = (name: IconName): string => viewBoxes[name]

/** Content names its icons freely; one that the sprite lacks becomes the facet. */
export const iconOr = (name: string | undefined): IconName =>
  name !== undefined && isIconName(name) ? name : 'facet'
