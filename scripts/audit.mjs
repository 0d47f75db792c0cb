// `npm run audit`: asks the registry whether the packages are what their authors published
// (signatures), and which have known vulnerabilities (advisories). Exit code 0: nothing found;
// 1: something found; 2: nothing found, but not every question was answered.
import { spawnSync } from 'node:child_process'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pathWithoutProject } from './project-node.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

/** `findings`: lines about what is wrong; null when the report is not an answer. */
const questions = [
  {
    name: 'signatures',
    args: ['audit', 'signatures'],
    findings: ({ invalid, missing }) =>
      Array.isArray(invalid) && Array.isArray(missing)
        ? [
            ...invalid.map(({ name, version }) => `${name}@${version}: its signature is wrong`),
            ...missing.map(({ name, version }) => `${name}@${version}: it is not signed`),
          ]
        : null,
  },
  {
    name: 'advisories',
    args: ['audit'],
    findings: ({ vulnerabilities }) =>
      vulnerabilities
        ? Object.values(vulnerabilities).map(
            ({ name, severity, range, via }) =>
              `${name} ${range}: ${severity}: ${via.map((cause) => cause.title ?? `through ${cause}`).join('; ')}`,
          )
        : null,
  },
]

/** Runs npm, which prints its report or its error as JSON. */
function report(args) {
  const { stdout, error } = spawnSync(
    'npm',
    [...args, '--json', '--fetch-retries=1', '--fetch-retry-mintimeout=1000'],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      shell: process.platform === 'win32',
      env: { ...process.env, PATH: pathWithoutProject(root) },
    },
  )
  try {
    return JSON.parse(stdout)
  } catch {
    return { message: error?.message ?? 'npm printed no report' }
  }
}

const results = questions.map(({ name, args, findings }) => {
  const answer = report(args)
  const lines = findings(answer)
  if (lines === null)
    console.log(`${name}: no answer (${answer.message || answer.error?.summary || 'no reason'})`)
  else if (lines.length === 0) console.log(`${name}: nothing found`)
  else console.log([`${name}: ${lines.length} found`, ...lines].join('\n  '))
  return lines
})
if (results.some((lines) => lines?.length > 0)) process.exitCode = 1
else if (results.includes(null)) {
  console.log(
    'nothing is known about the questions without an answer: ask again with access to them',
  )
  process.exitCode = 2
}
