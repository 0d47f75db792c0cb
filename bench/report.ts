/**
 * Prints the results of a bench as Markdown and writes them as Markdown and JSON to
 * `bench/results/`, with the machine and the versions.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { root } from './servers'

export type Row = Readonly<Record<string, string | number>>
/**
 * One row of the summary: what was measured, its target (`asked`), the result, and whether it is
 * met.
 */
export type Figure = { what: string; asked: string; figure: string; met: boolean }

/**
 * A figure with a lower limit. `shown` is the text of the figure, with its spread if it has one.
 */
export const atLeast = (
  what: string,
  least: number,
  figure: number,
  shown = figure.toFixed(2),
): Figure => ({ what, asked: `≥ ${least}`, figure: shown, met: figure >= least })
/** A figure with an upper limit. */
export const atMost = (
  what: string,
  most: number,
  unit: string,
  figure: number,
  shown = figure.toFixed(1),
): Figure => ({ what, asked: `≤ ${most} ${unit}`, figure: `${shown} ${unit}`, met: figure <= most })

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  return sorted.length % 2 === 1
    ? (sorted[Math.floor(middle)] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}
/** `median (smallest–largest)`. */
export const spread = (values: readonly number[], digits = 0): string =>
  `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)})`

const outputOf = (command: string, args: readonly string[]): string => {
  try {
    return execFileSync(command, args, {
      encoding: 'utf8',
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return 'unknown'
  }
}

/** The machine, the versions, the load and the time of a measurement. */
const machineNow = () => ({
  processor: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: process.version,
  commit: outputOf('git', ['rev-parse', '--short', 'HEAD']),
  load: loadavg().map((value) => Number(value.toFixed(2))),
  at: new Date().toISOString(),
})
export type Machine = ReturnType<typeof machineNow>

export const describeMachine = (machine: Machine): string =>
  `${machine.processor}, ${machine.cores} cores, ${machine.memoryGiB} GiB, Node ${machine.node}, commit ${machine.commit}, load ${machine.load.join(' ')}, ${machine.at}`

export function table(rows: readonly Row[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return [
    `| ${columns.join(' | ')} |`,
    `|${columns.map(() => '---').join('|')}|`,
    ...rows.map((row) => `| ${columns.map((column) => row[column] ?? '').join(' | ')} |`),
  ].join('\n')
}

export const figureRows = (figures: readonly Figure[]): Row[] =>
  figures.map(({ what, asked, figure, met }) => ({
    what,
    asked,
    figure,
    '': met ? 'met' : 'short',
  }))

export const resultsFolder = join(root, 'bench', 'results')

/** Prints and stores the results of a bench. `summary.ts` collects the `figures` of all benches. */
export function report(
  name: string,
  rows: readonly Row[],
  notes: readonly string[] = [],
  figures: readonly Figure[] = [],
): void {
  const machine = machineNow()
  mkdirSync(resultsFolder, { recursive: true })
  const parts = [
    `## ${name}`,
    describeMachine(machine),
    table(rows),
    ...(figures.length > 0 ? [table(figureRows(figures))] : []),
    ...(notes.length > 0 ? [notes.map((note) => `- ${note}`).join('\n')] : []),
  ]
  const markdown = `${parts.join('\n\n')}\n`
  writeFileSync(join(resultsFolder, `${name}.md`), markdown)
  writeFileSync(
    join(resultsFolder, `${name}.json`),
    `${JSON.stringify({ name, machine, rows, figures, notes }, null, 1)}\n`,
  )
  console.log(markdown)
}
