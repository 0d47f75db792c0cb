import { fork, type ChildProcess } from 'node:child_process'
import { imageLimits } from '../../shared/constants'
import { SiteError } from '../errors'
import type { Logger } from '../telemetry/logger'
import type { EncodeJob, EncodeOutcome } from './encode-job'

type EncoderPoolOptions = {
  /** Path of the built encoder process. */
  encoderScript: string
  log: Logger
  /** An encoder process exits after it has been idle for this long. */
  idleTimeoutMs?: number
}
export type EncodeRequest = Omit<EncodeJob, 'id'>
export type EncoderPool = ReturnType<typeof createEncoderPool>

type Encoder = { child: ChildProcess; idleTimer: NodeJS.Timeout | undefined }

const forkEncoder = (encoderScript: string): ChildProcess =>
  fork(encoderScript, [], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    execArgv: ['--max-old-space-size=128'],
    env: {},
  })
const kill = (child: ChildProcess): void => void child.kill('SIGKILL')

function remove(encoders: Encoder[], encoder: Encoder): void {
  const index = encoders.indexOf(encoder)
  if (index >= 0) encoders.splice(index, 1)
}

/** Sends one job to an encoder process and waits for its reply, its exit or the timeout. */
function sendJob(
  child: ChildProcess,
  job: EncodeJob,
  timeoutMs: number,
): Promise<EncodeOutcome | 'exited' | 'timeout'> {
  return new Promise((resolve) => {
    const settle = (outcome: EncodeOutcome | 'exited' | 'timeout'): void => {
      clearTimeout(timer)
      child.off('message', onMessage)
      child.off('exit', onExit)
      resolve(outcome)
    }
    const onMessage = (outcome: EncodeOutcome): void => {
      if (outcome.id === job.id) settle(outcome)
    }
    const onExit = (): void => settle('exited')
    const timer = setTimeout(() => settle('timeout'), timeoutMs)
    child.on('message', onMessage)
    child.once('exit', onExit)
    child.send(job, (error) => error && kill(child))
  })
}

/** An image that ends its encoder counts as broken, unless the pool itself is closing. */
const exitError = (isClosing: boolean): SiteError =>
  isClosing
    ? new SiteError('imagesBusy', undefined, { 'Retry-After': '2' })
    : new SiteError('notAnImage')

const timeoutError = (): SiteError =>
  new SiteError('imagesBusy', 'Encoding the picture took too long', { 'Retry-After': '60' })

/**
 * Encoder processes, each with one job at a time: an image that crashes or hangs an encoder affects
 * only its own request. Processes start on demand and exit after an idle time. The encode queue
 * limits how many run at once.
 */
export function createEncoderPool({
  encoderScript,
  log,
  idleTimeoutMs = imageLimits.encoderIdleMs,
}: EncoderPoolOptions) {
  const idle: Encoder[] = []
  const all = new Set<Encoder>()
  let jobs = 0
  let isClosed = false

  function start(): Encoder {
    const encoder: Encoder = { child: forkEncoder(encoderScript), idleTimer: undefined }
    all.add(encoder)
    encoder.child.on('error', (error) => log.warn({ err: error }, 'an encoder process failed'))
    encoder.child.on('exit', () => {
      clearTimeout(encoder.idleTimer)
      all.delete(encoder)
      remove(idle, encoder)
    })
    return encoder
  }

  function putBack(encoder: Encoder): void {
    if (isClosed) return kill(encoder.child)
    idle.push(encoder)
    encoder.idleTimer = setTimeout(() => {
      // Before its exit is noticed, a job could still take it, and would then count as broken.
      remove(idle, encoder)
      kill(encoder.child)
    }, idleTimeoutMs)
    encoder.idleTimer.unref()
  }

  return {
    /** Encodes one image. Rejects with 415 if it cannot be decoded, 413, or 503 on timeout. */
    async encode(job: EncodeRequest, timeoutMs: number): Promise<Buffer> {
      const encoder = idle.pop() ?? start()
      clearTimeout(encoder.idleTimer)
      jobs += 1
      const outcome = await sendJob(encoder.child, { ...job, id: jobs }, timeoutMs)
      if (outcome === 'exited') throw exitError(isClosed)
      if (outcome === 'timeout') {
        kill(encoder.child)
        throw timeoutError()
      }
      putBack(encoder)
      if ('bytes' in outcome) {
        const { buffer, byteOffset, byteLength } = outcome.bytes
        return Buffer.from(buffer, byteOffset, byteLength)
      }
      if (outcome.reason) log.info({ reason: outcome.reason }, 'an image could not be decoded')
      throw new SiteError(outcome.failure)
    },

    /** Ends all encoder processes; resolves when they have exited. */
    async close(): Promise<void> {
      isClosed = true
      const exits = [...all].map(
        ({ child }) => new Promise((resolve) => child.once('exit', resolve)),
      )
      for (const { child } of all) kill(child)
      await Promise.all(exits)
    },
  }
}
