import { fork, type ChildProcess } from 'node:child_process'
import { imageLimits } from '../../shared/constants'
import { SiteError } from '../errors'
import type { Logger } from '../telemetry/logger'
import type { EncodeJob, EncodeOutcome } from './encode-job'

export type EncoderPoolOptions = {
  /** Built file of the encoder process. */ script: string
  log: Logger
  /** How long a process rests before it ends (ms). */ idle?: number
}
export type EncodeRequest = Omit<EncodeJob, 'id'>
export type EncoderPool = ReturnType<typeof createEncoderPool>

type Encoder = { child: ChildProcess; rest: NodeJS.Timeout | undefined }

/**
 * Encoder processes, one a running job, so that a picture which crashes or hangs one is known and takes nothing else
 * with it. They start when needed and end when they have rested. How many run at once is for the queue to say.
 */
export function createEncoderPool({
  script,
  log,
  idle = imageLimits.encoderIdle,
}: EncoderPoolOptions) {
  const resting: Encoder[] = []
  const all = new Set<Encoder>()
  let next = 0
  let closed = false

  function start(): Encoder {
    const encoder: Encoder = {
      child: fork(script, [], {
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        serialization: 'advanced',
        execArgv: ['--max-old-space-size=128'],
        env: {},
      }),
      rest: undefined,
    }
    all.add(encoder)
    encoder.child.on('error', (error) => log.warn({ err: error }, 'an encoder failed'))
    encoder.child.on('exit', () => {
      clearTimeout(encoder.rest)
      all.delete(encoder)
      const at = resting.indexOf(encoder)
      if (at >= 0) resting.splice(at, 1)
    })
    return encoder
  }
  const end = ({ child }: Encoder): void => void child.kill('SIGKILL')

  function rest(encoder: Encoder): void {
    if (closed) return end(encoder)
    resting.push(encoder)
    encoder.rest = setTimeout(() => end(encoder), idle)
    encoder.rest.unref()
  }

  return {
    /** Encodes one picture. Rejects with 415 for what no decoder takes, 413, or 503 when it takes longer than `timeout` ms. */
    encode(job: EncodeRequest, timeout: number): Promise<Buffer> {
      const encoder = resting.pop() ?? start()
      clearTimeout(encoder.rest)
      next += 1
      const id = next
      return new Promise<Buffer>((resolve, reject) => {
        const { child } = encoder
        const finish = (settle: () => void): void => {
          clearTimeout(timer)
          child.off('message', onMessage)
          child.off('exit', onExit)
          settle()
        }
        const onMessage = (outcome: EncodeOutcome): void => {
          if (outcome.id !== id) return
          finish(() => {
            rest(encoder)
            if ('bytes' in outcome)
              return resolve(
                Buffer.from(
                  outcome.bytes.buffer,
                  outcome.bytes.byteOffset,
                  outcome.bytes.byteLength,
                ),
              )
            if (outcome.reason)
              log.info({ reason: outcome.reason }, 'a picture could not be decoded')
            reject(new SiteError(outcome.failure))
          })
        }
        const onExit = (): void =>
          finish(() =>
            reject(
              new SiteError(
                closed ? 'imagesBusy' : 'notAnImage',
                undefined,
                closed ? { 'Retry-After': '2' } : {},
              ),
            ),
          )
        const timer = setTimeout(
          () =>
            finish(() => {
              end(encoder)
              reject(
                new SiteError('imagesBusy', 'The picture took too long to make', {
                  'Retry-After': '60',
                }),
              )
            }),
          timeout,
        )
        child.on('message', onMessage)
        child.once('exit', onExit)
        child.send({ ...job, id }, (error) => error && end(encoder))
      })
    },
    /** Ends all processes; resolves when they are gone. */
    async close(): Promise<void> {
      closed = true
      await Promise.all(
        [...all].map(
          (encoder) =>
            new Promise<void>((resolve) => {
              encoder.child.once('exit', () => resolve())
              end(encoder)
            }),
        ),
      )
    },
  }
}
