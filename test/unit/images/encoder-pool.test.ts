import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { createEncoderPool } from '../../../server/images/encoder-pool'
import { createLogger } from '../../../server/telemetry/logger'
import { temporaryFolder } from '../../../testing/site'

it('a job that arrives as an idle encoder is ended gets another one', async () => {
  const idleTimeoutMs = 20
  const encoderScript = join(temporaryFolder('encoder'), 'encoder.js')
  writeFileSync(
    encoderScript,
    "process.on('message', ({ id, bytes }) => process.send({ id, bytes }))",
  )
  const pool = createEncoderPool({ encoderScript, log: createLogger('silent'), idleTimeoutMs })
  const job = { bytes: Buffer.from('image'), width: null, format: 'png', quality: 80 } as const
  const results: string[] = []
  for (let round = 0; round < 10; round += 1) {
    results.push((await pool.encode(job, 5000)).toString())
    // The timer of the pool was set first, so it fires first; the exit is noticed later.
    await sleep(idleTimeoutMs)
  }
  await pool.close()
  expect(results).toEqual(Array.from({ length: 10 }, () => 'image'))
})
