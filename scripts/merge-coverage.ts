/** Joins what V8 counted in many runs of the same scripts, by lines of the sources. */
import { decodedMappings, TraceMap, type SourceMapInput } from '@jridgewell/trace-mapping'

/** Offsets are characters of the script. Inner ranges follow outer ones. */
type Range = { startOffset: number; endOffset: number; count: number }
/** What V8 counted in one run of a script. */
export type RunScript = { functions: ReadonlyArray<{ ranges: readonly Range[] }> }
export type MappedScript = { source: string; sourceMap: SourceMapInput }
/** For each line that has code, by its number from 1: whether any run reached a part of it. */
export type LineCoverage = Map<number, boolean>

/** 1 for each character that this run reached. The innermost range decides. */
function reachedIn({ functions }: RunScript, length: number): Uint8Array {
  const reached = new Uint8Array(length)
  const ranges = functions.flatMap((one) => one.ranges)
  ranges.sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset)
  for (const { startOffset, endOffset, count } of ranges)
    reached.fill(count > 0 ? 1 : 0, startOffset, endOffset)
  return reached
}

/** Offset of the first character of each line. */
function lineStarts(source: string): number[] {
  const starts = [0]
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1))
    starts.push(at + 1)
  return starts
}

/**
 * For each line, whether it has code. Imports and comments do not count, because only some source
 * maps name them.
 */
function haveCode(source: string): boolean[] {
  const bare = source
    .replace(/\/\*[^]*?\*\/|^\s*\/\/.*/gm, (comment) => comment.replace(/.+/g, ''))
    .replace(/^import\b[^']*'[^']*'/gm, (statement) => statement.replace(/.+/g, ''))
  return bare.split('\n').map((line) => line.trim() !== '')
}

/**
 * Collects runs. A source can be part of several scripts: of the server's, the browser's, and of
 * the one that jest makes. A line is reached when it was reached in one of them.
 */
export function createCoverageMerger() {
  const scripts = new Map<string, { script: MappedScript; reached: Uint8Array }>()

  return {
    /** `load` is called at the first run of a script. */
    add(name: string, run: RunScript, load: () => MappedScript): void {
      const known = scripts.get(name)
      const script = known?.script ?? load()
      const reached = known?.reached ?? new Uint8Array(script.source.length)
      scripts.set(name, { script, reached })
      const now = reachedIn(run, reached.length)
      for (let offset = 0; offset < now.length; offset += 1) if (now[offset]) reached[offset] = 1
    },
    /** By path. `pathOf` turns the name in a source map into a path; null leaves the source out. */
    lines(pathOf: (source: string) => string | null): Map<string, LineCoverage> {
      const files = new Map<string, LineCoverage>()
      for (const { script, reached } of scripts.values()) {
        const map = new TraceMap(script.sourceMap)
        const paths = map.sources.map((source) => (source === null ? null : pathOf(source)))
        const code = map.sources.map((_, index) => haveCode(map.sourcesContent?.[index] ?? ''))
        const starts = lineStarts(script.source)
        for (const [row, segments] of decodedMappings(map).entries())
          for (const [column, source, line] of segments) {
            if (source === undefined || line === undefined || !code[source]?.[line]) continue
            const path = paths[source]
            if (!path) continue
            const lines = files.get(path) ?? new Map<number, boolean>()
            files.set(path, lines)
            const isReached = reached[(starts[row] ?? 0) + column] === 1
            lines.set(line + 1, (lines.get(line + 1) ?? false) || isReached)
          }
      }
      return files
    },
  }
}
