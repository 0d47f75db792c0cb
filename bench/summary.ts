/**
 * Writes one table of all figures that have a target, from the last results of each bench, to
 * `bench/results/summary.md` and `.json`, with the time and machine of each measurement.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  figureRows,
  describeMachine,
  resultsFolder,
  table,
  type Figure,
  type Machine,
} from './report'

type Result = { name: string; machine: Machine; figures?: readonly Figure[] }

const results = readdirSync(resultsFolder)
  .filter((file) => file.endsWith('.json') && file !== 'summary.json')
  .sort()
  .map((file) => JSON.parse(readFileSync(join(resultsFolder, file), 'utf8')) as Result)
  .filter(({ figures }) => (figures?.length ?? 0) > 0)

const rows = results.flatMap(({ name, figures = [] }) =>
  figureRows(figures).map((row) => ({ bench: name, ...row })),
)
const markdown = `## Figures with a target\n\n${table(rows)}\n\n${results.map(({ name, machine }) => `- ${name}: ${describeMachine(machine)}`).join('\n')}\n`
writeFileSync(join(resultsFolder, 'summary.md'), markdown)
writeFileSync(
  join(resultsFolder, 'summary.json'),
  `${JSON.stringify(
    results.map(({ name, machine, figures }) => ({ name, machine, figures })),
    null,
    1,
  )}\n`,
)
console.log(markdown)
