/** Results as a Markdown table on standard output and as JSON in `bench/results/`, each with the machine and the versions. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { root } from './servers'

export type Row = Readonly<Record<string, string | number>>

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  return sorted.length % 2 === 1 ? (sorted[Math.floor(middle)] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}
/** Median with the smallest and largest run. */
export const spread = (values: readonly number[], digits = 0): string => `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)})`

const quietly = (command: string, args: readonly string[]): string => {
  try {
    return execFileSync(command, args, { encoding: 'utf8', cwd: root, stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return 'unknown'
  }
}

export function report(name: string, rows: readonly Row[], notes: readonly string[] = []): void {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const machine = { processor: cpus()[0]?.model ?? 'unknown', cores: cpus().length, memoryGiB: Math.round(totalmem() / 2 ** 30), node: process.version, commit: quietly('git', ['rev-parse', '--short', 'HEAD']), load: loadavg().map((value) => Number(value.toFixed(2))), at: new Date().toISOString() }
  const table = [`| ${columns.join(' | ')} |`, `|${columns.map(() => '---').join('|')}|`, ...rows.map((row) => `| ${columns.map((column) => row[column] ?? '').join(' | ')} |`)].join('\n')
  const head = `${machine.processor}, ${machine.cores} cores, ${machine.memoryGiB} GiB, Node ${machine.node}, commit ${machine.commit}, load ${machine.load.join(' ')}, ${machine.at}`
  const folder = join(root, 'bench', 'results')
  mkdirSync(folder, { recursive: true })
  const markdown = `## ${name}\n\n${head}\n\n${table}\n${notes.length > 0 ? `\n${notes.map((note) => `- ${note}`).join('\n')}\n` : ''}`
  writeFileSync(join(folder, `${name}.md`), markdown)
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify({ name, machine, rows, notes }, null, 1)}\n`)
  console.log(markdown)
}
