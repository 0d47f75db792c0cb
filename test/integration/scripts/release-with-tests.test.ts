import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { isRunning } from '../../../testing/processes'
import { root } from '../../../testing/root'
import { eventually, temporaryFolder } from '../../../testing/site'

it('a killed test leaves no process that it has started, directly or not', async () => {
  const script = join(temporaryFolder('killed-test'), 'test.mts')
  writeFileSync(
    script,
    `import { spawn } from 'node:child_process'
     import { releaseWithTests } from '${join(root, 'testing', 'release-with-tests.ts')}'
     const shell = 'sleep 60 & echo $$ $!; wait'
     const child = releaseWithTests(spawn('sh', ['-c', shell], { stdio: ['ignore', 'pipe', 'ignore'] }))
     child.stdout.pipe(process.stdout)`,
  )
  const test = spawn(process.execPath, ['--import', 'tsx', script], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const pids = await new Promise<number[]>((resolve) =>
    test.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().split(' ').map(Number))),
  )
  const running = (): number[] => pids.filter(isRunning)
  expect(running()).toHaveLength(2)
  test.kill('SIGKILL')
  await eventually(() => expect(running()).toEqual([]))
})
