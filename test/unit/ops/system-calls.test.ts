import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { systemCalls } from '../../../server/ops/console/system-calls'
import type { OpsServices } from '../../../server/ops/ops-call'
import { temporaryFolder } from '../../../testing/release-with-tests'

describe('the call that runs the doctor', () => {
  /** Calls it with another script as the doctor. */
  function callWith(script: string): unknown {
    const folder = temporaryFolder('doctor')
    mkdirSync(join(folder, 'server'))
    writeFileSync(join(folder, 'server', 'doctor.js'), script)
    const call = systemCalls.find(({ path }) => path === '/system/doctor')
    // A cast because the call uses only the folder of the build.
    const handle = call?.createHandler({ build: { folder } } as OpsServices)
    return handle?.(
      {},
      { operator: { name: '', sessionId: null }, isSecure: true, setHeader: () => undefined },
    )
  }

  it('answers with what it prints, also when it finds problems', async () =>
    expect(await callWith('console.log("WRONG"); process.exitCode = 1')).toEqual({
      text: 'WRONG\n',
    }))

  it.each([
    [
      'is killed',
      'process.kill(process.pid); setInterval(() => {}, 1000)',
      'the checks did not finish within 60 s or were stopped',
    ],
    ['fails without findings', 'throw new Error("no build")', 'the doctor failed'],
  ])('fails when the doctor %s', (_, script, message) =>
    expect(callWith(script)).rejects.toThrow(message),
  )
})
