import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { buildFolder, programSettings, root } from './root'

export type DoctorResult = {
  status: number | null
  out: string
  /** Findings of a level, `topic message`. */
  wrong: string[]
  notes: string[]
}

/**
 * Runs the doctor of the built site. Asynchronous, because the fake services run in the test's
 * process.
 */
export function runDoctor(env: Readonly<Record<string, string>>): Promise<DoctorResult> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(buildFolder(), 'server', 'doctor.js')], {
      cwd: root,
      env: { ...programSettings(), HOST: '127.0.0.1', PORT: '0', ...env },
    })
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.once('close', (status) => {
      const out = Buffer.concat(chunks).toString('utf8')
      const findings = (label: string): string[] =>
        out
          .split('\n')
          .filter((line) => line.startsWith(`${label} `))
          .map((line) =>
            line
              .slice(label.length)
              .trim()
              .replace(/\s{2,}/, ' '),
          )
      resolve({ status, out, wrong: findings('WRONG'), notes: findings('note') })
    })
  })
}
