import type { StoredAnswer } from './stored-answer'

/** An answer in any form of the cache: a page, a payload, a feed. */
export type Compressible = Pick<StoredAnswer, 'body' | 'encoded'>
export type CompressedForms = Partial<Record<'br' | 'gzip', Uint8Array>>

/** Quickly in the given encodings, or the smallest Brotli form (`hot`). */
export type CompressJob =
  | { kind: 'compress'; body: Uint8Array; encodings: ReadonlyArray<'br' | 'gzip'> }
  | { kind: 'compressHot'; body: Uint8Array }
/** Writes a file completely or not at all; other processes may read and write the folder too. */
export type WriteJob = { kind: 'write'; folder: string; file: string; bytes: Uint8Array }
export type BackgroundJob = CompressJob | WriteJob
/** A message to the thread: a job, or `close`, which ends the thread. */
export type ToThread = BackgroundJob | 'close'

/** A write has no forms. */
export type JobResult = { forms: CompressedForms } | { error: string }

/** Work of the page cache outside the thread that answers requests. */
export type Background = {
  /** Both compressed forms. One that the answer has already is kept. */
  compress: (answer: Compressible) => Promise<StoredAnswer['encoded']>
  /** The smallest Brotli form, for an answer with so many hits that the effort pays off. */
  compressHot: (answer: Compressible) => Promise<StoredAnswer['encoded']>
  write: (job: Omit<WriteJob, 'kind'>) => Promise<void>
}
