/**
 * Generates `client/icons/view-boxes.ts` from the icon files. The list types `<Icon name>` and
 * fills the page `/_icons`.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** `attributes` and `content` are those of the `<svg>` element. */
type IconFile = { name: string; viewBox: string; attributes: string; content: string }

/**
 * Reads the icons of a folder, sorted by name. Throws with the file name if a view box is not four
 * integers, a name is not in kebab case, or an icon contains a script or an external reference.
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
        fail('a name is made of lower-case letters, digits and hyphens')
      if (/<script|<foreignObject|<!|\son\w+=|\b(?:href|src)\s*=\s*"(?!#)/i.test(content))
        fail('an icon holds shapes only: no scripts and no references to other files')
      return { name, viewBox, attributes, content: content.trim() }
    })
}

const header =
  '/** Every icon and its view box. Generated from the icon files by scripts/icon-view-boxes.ts. */\n'

/** Source of the generated file. */
export function viewBoxesSource(folder: string): string {
  const rows = readIcons(folder).map(
    ({ name, viewBox }) => `  ${/^[a-z]\w*$/.test(name) ? name : `'${name}'`}: '${viewBox}',`,
  )
  return `${header}export const viewBoxes = {\n${rows.join('\n')}\n} as const\n`
}

/** Writes the generated file if it is out of date. */
export function writeViewBoxes(root: string): void {
  const folder = join(root, 'client', 'icons')
  const file = join(folder, 'view-boxes.ts')
  const source = viewBoxesSource(folder)
  if (!existsSync(file) || readFileSync(file, 'utf8') !== source) writeFileSync(file, source)
}
