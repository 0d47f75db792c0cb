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
/** `failed`: the encoder process could not be started. */
type JobResult = EncodeOutcome | 'exited' | 'failed' | 'timeout'

const busyError = (): SiteError => new SiteError('imagesBusy', undefined, { 'Retry-After': '2' })

/**
 * Starts an encoder process. Some failures arrive later as the event `error`, for example too many
 * open files. `fork` throws others, for example too little memory: this function throws 503 then.
 */
function forkEncoder(encoderScript: string, log: Logger): ChildProcess {
  try {
    const child = fork(encoderScript, [], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      execArgv: ['--max-old-space-size=128'],
      env: {},
    })
    return child.on('error', (error) => log.warn({ err: error }, 'an encoder process failed'))
  } catch (error) {
    log.warn({ err: error }, 'an encoder process could not be started')
    throw busyError()
  }
}
const kill = (child: ChildProcess): void => void child.kill('SIGKILL')

function remove(encoders: Encoder[], encoder: Encoder): void {
  const index = encoders.indexOf(encoder)
  if (index >= 0) encoders.splice(index, 1)
}

/** Sends one job to an encoder process and waits for its reply, its end or the timeout. */
function sendJob(child: ChildProcess, job: EncodeJob, timeoutMs: number): Promise<JobResult> {
  return new Promise((resolve) => {
    const settle = (outcome: JobResult): void => {
      clearTimeout(timer)
      child.off('message', onMessage).off('exit', onExit).off('error', onError)
      resolve(outcome)
    }
    const onMessage = (outcome: EncodeOutcome): void => {
      if (outcome.id === job.id) settle(outcome)
    }
    const onExit = (): void => settle('exited')
    const onError = (): void => settle('failed')
    const timer = setTimeout(() => settle('timeout'), timeoutMs)
    child.on('message', onMessage).once('exit', onExit).once('error', onError)
    // Not connected: the process is ending, or it could not be started and may lack `send`. Its
    // event `exit` or `error` follows.
    if (child.connected) child.send(job, (error) => error && kill(child))
  })
}

/** An image that ends its encoder counts as broken, unless the pool itself is closing. */
const exitError = (isClosing: boolean): SiteError =>
  isClosing ? busyError() : new SiteError('notAnImage')

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
    const encoder: Encoder = { child: forkEncoder(encoderScript, log), idleTimer: undefined }
    all.add(encoder)
    const forget = (): void => {
      clearTimeout(encoder.idleTimer)
      all.delete(encoder)
      remove(idle, encoder)
    }
    // `error` comes instead of `exit` when the process cannot be started.
    encoder.child.once('exit', forget).once('error', forget)
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
    /**
     * Encodes one image. Rejects with 415 if it cannot be decoded, 413, or 503 on timeout and when
     * no process can be started.
     */
    async encode(job: EncodeRequest, timeoutMs: number): Promise<Buffer> {
      const encoder = idle.pop() ?? start()
      clearTimeout(encoder.idleTimer)
      jobs += 1
      const outcome = await sendJob(encoder.child, { ...job, id: jobs }, timeoutMs)
      if (outcome === 'exited') throw exitError(isClosed)
      if (outcome === 'failed') throw busyError()
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

    /** Ends all encoder processes; resolves when they have ended. */
    async close(): Promise<void> {
      isClosed = true
      const ends = [...all].map(
        ({ child }) => new Promise((resolve) => child.once('exit', resolve).once('error', resolve)),
      )
      for (const { child } of all) kill(child)
      await Promise.all(ends)
    },
  }
}
