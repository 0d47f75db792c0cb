/** The list of icons, made from their files: `client/icons/view-boxes.ts`, which types `<Icon name>` and fills `/_icons`. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** An icon as the sprite takes it. */
export type IconFile = { name: string; viewBox: string; attributes: string; content: string }

/**
 * Reads the icons of a folder, sorted by name. Throws, naming the file, where a view box is not four integers (spec
 * section 5), a name is not in kebab-case, or a drawing brings a script or a reference of its own.
 */
export function readIcons(folder: string): IconFile[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.svg'))
    .sort()
    .map((file) => {
      const name = basename(file, '.svg')
      const svg = readFileSync(join(folder, file), 'utf8')
      const [, attributes = '', content = ''] = /<svg([^>]*)>([\s\S]*)<\/svg>/.exec(svg) ?? []
      const viewBox = /viewBox="([^"]*)"/.exec(attributes)?.[1] ?? ''
      const fail = (reason: string): never => {
        throw new Error(`client/icons/${file}: ${reason}`)
      }
      if (!/^-?\d+ -?\d+ \d+ \d+$/.test(viewBox))
        fail(`the view box must be four integers, not "${viewBox}"`)
      if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name))
        fail('a name is lower-case letters, digits and hyphens')
      if (/<script|<foreignObject|<!|\son\w+=|\b(?:href|src)\s*=\s*"(?!#)/i.test(content))
        fail('an icon holds shapes only: no script, no reference to another file')
      return { name, viewBox, attributes, content: content.trim() }
    })
}

const header =
  '/** Made by the build from the files beside it (`scripts/icon-view-boxes.ts`): every icon and its view box. */\n'

/** Source of the list. */
export function viewBoxesSource(folder: string): string {
  const rows = readIcons(folder).map(
    ({ name, viewBox }) => `  ${/^[a-z]\w*$/.test(name) ? name : `'${name}'`}: '${viewBox}',`,
  )
  return `${header}export const viewBoxes = {\n${rows.join('\n')}\n} as const\n`
}

/** Writes the list where it is not that of the files any more. */
export function writeViewBoxes(root: string): void {
  const folder = join(root, 'client', 'icons')
  const file = join(folder, 'view-boxes.ts')
  const source = viewBoxesSource(folder)
  if (!existsSync(file) || readFileSync(file, 'utf8') !== source) writeFileSync(file, source)
}
