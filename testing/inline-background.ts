import type { Background } from '../server/cache/background-jobs'
import { compressBody, compressJob, withForms } from '../server/cache/compress-answer'

/** Compresses like the background thread, without a thread: for unit tests, which have no build. */
export const inlineBackground: Pick<Background, 'compress' | 'compressHot'> = {
  compress(answer) {
    const job = compressJob(answer)
    return Promise.resolve(withForms(answer, job, compressBody(job)))
  },
  compressHot(answer) {
    const job = { kind: 'compressHot', body: answer.body } as const
    return Promise.resolve(withForms(answer, job, compressBody(job)))
  },
}
