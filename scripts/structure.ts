/**
 * `npm run structure [-- FOLDER]`: the shape of the code in figures, for this checkout or another
 * one. Rooms are the folders of server/ and client/; lines are lines with code, without blank lines
 * and comments.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, resolve } from 'node:path'
import ts from 'typescript'
import { unresolvedReferences } from './references'

type Source = { path: string; text: string; tree: ts.SourceFile }

const sides = ['server', 'client', 'shared'] as const
const maxColumns = 100

function filesBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? filesBelow(root, path) : [path]
  })
}

const read = (root: string, path: string): Source => {
  const text = readFileSync(join(root, path), 'utf8')
  return { path, text, tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) }
}

function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node)
  node.forEachChild((child) => {
    walk(child, visit)
  })
}

/** Numbers of the lines that hold code. */
function codeLines({ tree }: Source): Set<number> {
  const lines = new Set<number>()
  const lineOf = (position: number): number => tree.getLineAndCharacterOfPosition(position).line
  // Tokens, punctuation included: a line that closes a block counts.
  const visit = (node: ts.Node): void => {
    const children = node.getChildren(tree)
    if (ts.isJSDoc(node)) return
    if (children.length > 0) return void children.forEach(visit)
    if (node.getWidth(tree) === 0) return
    const last = lineOf(node.getEnd())
    for (let line = lineOf(node.getStart(tree)); line <= last; line += 1) lines.add(line)
  }
  visit(tree)
  return lines
}

/** Code lines of each function that has a body. */
function functionLengths(source: Source, code: ReadonlySet<number>): number[] {
  const lengths: number[] = []
  walk(source.tree, (node) => {
    if (!ts.isFunctionLike(node) || !('body' in node) || !node.body) return
    const first = source.tree.getLineAndCharacterOfPosition(node.getStart(source.tree)).line
    const last = source.tree.getLineAndCharacterOfPosition(node.getEnd()).line
    let length = 0
    for (let line = first; line <= last; line += 1) if (code.has(line)) length += 1
    lengths.push(length)
  })
  return lengths
}

/** The relative modules that a file imports, types included. */
function importsOf({ path, tree }: Source, known: ReadonlySet<string>): string[] {
  const found: string[] = []
  const add = (specifier: ts.Node | undefined): void => {
    if (!specifier || !ts.isStringLiteral(specifier) || !specifier.text.startsWith('.')) return
    const base = normalize(join(dirname(path), specifier.text))
    const target = ['', '.ts', '.tsx', '.d.ts'].map((end) => base + end).find((at) => known.has(at))
    if (target) found.push(target)
  }
  walk(tree, (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) add(node.moduleSpecifier)
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0])
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal)
  })
  return found
}

/**
 * The room of a file: its folder directly below the side; a file at the root is a room by itself.
 */
const roomOf = (path: string): string => path.split('/').slice(0, 2).join('/')

/** Groups of rooms that import each other in a circle (Tarjan's strongly connected components). */
function roomCycles(imports: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []
  function connect(room: string): number {
    const own = index.size
    index.set(room, own)
    let lowest = own
    stack.push(room)
    for (const next of imports.get(room) ?? []) {
      if (!index.has(next)) lowest = Math.min(lowest, connect(next))
      else if (stack.includes(next)) lowest = Math.min(lowest, index.get(next) ?? own)
    }
    low.set(room, lowest)
    if (lowest === own) {
      const group = stack.splice(stack.indexOf(room))
      if (group.length > 1) cycles.push(group.sort())
    }
    return lowest
  }
  for (const room of imports.keys()) if (!index.has(room)) connect(room)
  return cycles
}

const spread = (values: readonly number[]): string => {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0
  return `median ${at(0.5)}, p90 ${at(0.9)}, maximum ${at(1)}`
}

function countTypes(sources: readonly Source[]): { any: number; casts: number; bang: number } {
  const count = { any: 0, casts: 0, bang: 0 }
  for (const { tree } of sources)
    walk(tree, (node) => {
      if (node.kind === ts.SyntaxKind.AnyKeyword) count.any += 1
      if (ts.isNonNullExpression(node)) count.bang += 1
      if (ts.isAsExpression(node) && !ts.isConstTypeReference(node.type)) count.casts += 1
    })
  return count
}

function describeSide(root: string, side: string, known: ReadonlySet<string>): void {
  const paths = [...known].filter((path) => path.startsWith(`${side}/`))
  const sources = paths.map((path) => read(root, path))
  const rooms = [...new Set(paths.map(roomOf))].sort()
  const imports = new Map(rooms.map((room) => [room, new Set<string>()]))
  for (const source of sources)
    for (const target of importsOf(source, known))
      if (roomOf(target) !== roomOf(source.path) && target.startsWith(`${side}/`))
        imports.get(roomOf(source.path))?.add(roomOf(target))
  const folders = rooms.filter((room) => !room.includes('.'))
  const cycles = roomCycles(imports)
  const code = new Map(sources.map((source) => [source, codeLines(source)]))
  const { any, casts, bang } = countTypes(sources)
  console.log(`${side}/`)
  console.log(`  rooms               ${folders.length}: ${folders.map(lastPart).join(', ')}`)
  console.log(
    `  files at the root   ${rooms.length - folders.length}: ${rooms
      .filter((room) => room.includes('.'))
      .map(lastPart)
      .join(', ')}`,
  )
  console.log(
    `  cycles of rooms     ${cycles.length}${cycles.map((group) => `; ${group.length} rooms: ${group.map(lastPart).join(', ')}`).join('')}`,
  )
  console.log(
    `  files               ${sources.length}, lines of code: ${spread([...code.values()].map(({ size }) => size))}`,
  )
  const lengths = sources.flatMap((source) =>
    functionLengths(source, code.get(source) ?? new Set()),
  )
  console.log(
    `  functions           ${lengths.length}, lines of code: ${spread(lengths)}; over 60: ${lengths.filter((length) => length > 60).length}`,
  )
  console.log(
    `  lines over ${maxColumns}      ${sources.flatMap(({ text }) => text.split('\n')).filter((line) => line.length > maxColumns).length}`,
  )
  console.log(`  any, casts, !       ${any}, ${casts}, ${bang}\n`)
}

const lastPart = (path: string): string => path.split('/').at(-1) ?? path

function main(): void {
  const root = resolve(process.argv[2] ?? join(__dirname, '..'))
  const known = new Set(
    sides.flatMap((side) => filesBelow(root, side)).filter((path) => /\.tsx?$/.test(path)),
  )
  for (const side of sides) describeSide(root, side, known)
  const unresolved = unresolvedReferences(root)
  console.log(`references that do not resolve: ${unresolved.length}`)
  for (const line of unresolved.slice(0, 20)) console.log(`  ${line}`)
}

main()
