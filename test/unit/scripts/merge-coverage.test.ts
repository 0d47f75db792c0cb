import { describe, expect, it } from '@jest/globals'
import { createCoverageMerger, type MappedScript } from '../../../scripts/merge-coverage'

const source = `import { log } from './log'
// A comment.
export function greet(isLate) {
  if (isLate) log('late')
  else log('in time')
}
`
/** A script whose lines are those of the source, in the same order. */
const script = (): MappedScript => ({
  source,
  sourceMap: {
    version: 3,
    names: [],
    sources: ['greet.ts'],
    sourcesContent: [source],
    mappings: source.split('\n').map((_, line) => [[0, 0, line, 0]]),
  },
})
const offsetOf = (text: string): number => source.indexOf(text)
const range = (from: string, to: string, count: number) => ({
  startOffset: offsetOf(from),
  endOffset: offsetOf(to) + to.length,
  count,
})
const all = range('import', '}\n', 1)
/** A run that calls the function; `skipped` is the branch that it does not take. */
const run = (skipped: string) => ({
  functions: [
    { ranges: [all] },
    { ranges: [range('export', '}\n', 1), range(skipped, skipped, 0)] },
  ],
})
const late = "  if (isLate) log('late')"
const inTime = "  else log('in time')"

describe('joined coverage', () => {
  it.each([
    { name: 'one run', runs: [run(inTime)], unreached: [5] },
    { name: 'the other branch', runs: [run(late)], unreached: [4] },
    { name: 'both', runs: [run(inTime), run(late)], unreached: [] },
    {
      name: 'a function that is not called',
      runs: [{ functions: [{ ranges: [all] }, { ranges: [range('export', '}\n', 0)] }] }],
      unreached: [3, 4, 5, 6],
    },
  ])('knows the lines with code that no run has reached: $name', ({ runs, unreached }) => {
    const merger = createCoverageMerger()
    for (const one of runs) merger.add('greet.js', one, script)
    const lines = merger.lines((path) => path).get('greet.ts')
    expect([...(lines ?? [])].filter(([, isReached]) => !isReached).map(([line]) => line)).toEqual(
      unreached,
    )
    expect([...(lines ?? new Map()).keys()]).toEqual([3, 4, 5, 6])
  })

  it('joins the scripts that hold a source', () => {
    const merger = createCoverageMerger()
    merger.add('server.js', run(inTime), script)
    merger.add('browser.js', run(late), script)
    expect([...(merger.lines((path) => path).get('greet.ts') ?? []).values()]).not.toContain(false)
  })

  it('leaves sources out that have no path', () => {
    const merger = createCoverageMerger()
    merger.add('greet.js', run(late), script)
    expect(merger.lines(() => null).size).toBe(0)
  })
})
