import { join } from 'node:path'
import type { Diagram } from './draw-diagram'
import { parseDrawing, type Drawing } from './parse-drawing'
import { readOptional } from './read-source'
import { isLink, linkReason } from './scan-tree'
import type { ArticleKey } from './content-path'

export type ReadDiagram = (name: string) => Diagram | { reason: string }

const diagramFile = /^(?:\.\/)?([a-z0-9]+(?:-[a-z0-9]+)*)\.diagram\.svg$/

/** `parts` for `parts.diagram.svg`, null for any other picture. */
export const diagramName = (source: string): string | null => diagramFile.exec(source)?.[1] ?? null

/** Reads `{name}.diagram.svg` beside an article, and `{name}.diagram.narrow.svg` if it exists. */
export function createDiagramReader(content: string): (key: ArticleKey) => ReadDiagram {
  function read(path: string): Drawing | { reason: string } | null {
    if (isLink(join(content, path))) return { reason: `${path} ${linkReason}` }
    const file = readOptional(join(content, path))
    if ('problem' in file) return { reason: `${path} ${file.problem.reason}` }
    if (file.source === null) return null
    const parsed = parseDrawing(file.source)
    return 'reason' in parsed ? { reason: `${path}:${parsed.line} ${parsed.reason}` } : parsed
  }
  return ({ collection, id }) =>
    (name) => {
      const path = `${collection}/${id}/${name}.diagram`
      const wide = read(`${path}.svg`) ?? { reason: `${path}.svg is not there` }
      const narrow = read(`${path}.narrow.svg`)
      if ('reason' in wide) return wide
      return narrow && 'reason' in narrow ? narrow : { wide, narrow }
    }
}
