import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { isRunning } from '../../../testing/processes'
import { root } from '../../../testing/root'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { eventually } from '../../../testing/site'

it('a killed test leaves no process that it has started, directly or not, no daemon and no folder', async () => {
  const folder = temporaryFolder('killed-test')
  const temporary = join(folder, 'temporary files')
  mkdirSync(temporary)
  const script = join(folder, 'test.mts')
  writeFileSync(
    script,
    `import { spawn } from 'node:child_process'
     import { releaseDaemon, releaseWithTests, temporaryFolder } from '${join(root, 'testing', 'release-with-tests.ts')}'
     const pidFile = temporaryFolder('of-the-test') + '/daemon.pid'
     releaseDaemon(pidFile)
     const daemon = spawn('sh', ['-c', 'setsid sleep 60 & echo $! > ' + JSON.stringify(pidFile)])
     await new Promise((resolve) => daemon.once('exit', resolve))
     const shell = \`sleep 60 & echo $$ $! $(cat "\${pidFile}"); wait\`
     const child = releaseWithTests(spawn('sh', ['-c', shell], { stdio: ['ignore', 'pipe', 'ignore'] }))
     child.stdout.pipe(process.stdout)`,
  )
  const test = spawn(process.execPath, ['--import', 'tsx', script], {
    cwd: root,
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const pids = await new Promise<number[]>((resolve) =>
    test.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().split(' ').map(Number))),
  )
  const running = (): number[] => pids.filter(isRunning)
  expect(running()).toHaveLength(3)
  const folders = (): string[] =>
    readdirSync(temporary).filter((name) => name.includes('of-the-test'))
  expect(folders()).toHaveLength(1)
  test.kill('SIGKILL')
  await eventually(() => expect([...running(), ...folders()]).toEqual([]))
})
