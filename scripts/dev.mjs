// `npm run dev`: starts scripts/dev.ts, which serves with hot reload. run.mjs has installed the
// packages.
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { spawn } from 'node:child_process'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
// Node loads tsx. As a program, tsx would kill a script that does not answer a signal within 30 ms:
// on a busy machine, before the script has ended the site that it started.
const child = spawn(process.execPath, ['--import', 'tsx', join(root, 'scripts', 'dev.ts')], {
  stdio: 'inherit',
  cwd: root,
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('exit', (code) => process.exit(code ?? 1))
