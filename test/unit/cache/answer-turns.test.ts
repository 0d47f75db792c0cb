import { describe, expect, it } from '@jest/globals'
import { createAnswerTurns } from '../../../server/cache/answer-turns'
import { SiteError } from '../../../server/errors'
import { createFairRunner } from '../../../server/request/fair-runner'
import { eventually } from '../../../testing/site'
import { search, socialPicture } from '../../../shared/constants'

/** A runner whose jobs end when the test says so; `started` has their groups in order. */
function runnerOf(limits: { maxQueued: number; maxInFlight: number }) {
  const runner = createFairRunner({
    maxWaiting: limits.maxQueued,
    maxInFlight: limits.maxInFlight,
    busy: 'busy',
    retryAfterSeconds: 1,
  })
  const started: string[] = []
  const refused: number[] = []
  const ends: Array<() => void> = []
  const add = (group: string): Promise<void> =>
    runner
      .run(group, () => {
        started.push(group)
        return new Promise<void>((resolve) => ends.push(resolve))
      })
      .catch((error: unknown) => void (error instanceof SiteError && refused.push(error.status)))
  const endOne = async (): Promise<void> => {
    ends.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { add, started, refused, endOne }
}

describe.each([
  ['searches', search],
  ['sharing pictures', socialPicture],
])('jobs of visitors: %s', (_name, limits) => {
  it('run one at a time, and addresses take turns', async () => {
    const { add, started, endOne } = runnerOf(limits)
    for (const group of ['a', 'a', 'b', 'c']) void add(group)
    expect(started).toEqual(['a'])
    for (const expected of [['b'], ['b', 'a'], ['b', 'a', 'c']]) {
      await endOne()
      expect(started.slice(1)).toEqual(expected)
    }
  })

  it('are refused with 429 above the limit of one address, and with 503 above the queue', async () => {
    const { add, refused } = runnerOf(limits)
    for (let count = 0; count <= limits.maxInFlight; count += 1) void add('one')
    await new Promise((resolve) => setImmediate(resolve))
    expect(refused).toEqual([429])
    // One runs, the others of the address wait.
    for (let count = limits.maxInFlight - 1; count <= limits.maxQueued; count += 1)
      void add(`address ${count}`)
    await new Promise((resolve) => setImmediate(resolve))
    expect(refused).toEqual([429, 503])
  })
})

describe('answers that must be made', () => {
  it('are begun one in each turn of the event loop, and addresses take turns', async () => {
    const { begin } = createAnswerTurns({ hits: () => 0 })
    const begun: string[] = []
    const seen: number[] = []
    for (const group of ['a', 'a', 'a', 'b']) void begin(group).then(() => begun.push(group))
    for (const expected of ['a', 'b', 'a', 'a']) {
      await Promise.resolve()
      expect(begun.at(-1)).toBe(expected)
      seen.push(begun.length)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(seen).toEqual([1, 2, 3, 4])
  })

  it('continue before others are begun', async () => {
    const { begin, step } = createAnswerTurns({ hits: () => 0 })
    const order: string[] = []
    void begin('a').then(async () => {
      order.push('begun a')
      await step()
      order.push('step of a')
    })
    void begin('b').then(() => order.push('begun b'))
    while (order.length < 3) await new Promise((resolve) => setImmediate(resolve))
    expect(order).toEqual(['begun a', 'step of a', 'begun b'])
  })

  it('are spread over time for one address while the site sends many cached answers', async () => {
    let hits = 0
    let time = 0
    const { begin } = createAnswerTurns({ hits: () => hits, now: () => time })
    // A busy window has passed.
    hits = 1000
    time = 100
    const begun: string[] = []
    for (const group of ['a', 'a', 'a', 'a', 'a', 'b'])
      void begin(group).then(() => begun.push(group))
    await eventually(() => expect([...begun].sort()).toEqual(['a', 'a', 'b']))
    hits = 2000
    time = 200
    await eventually(() => expect(begun).toHaveLength(5))
    // Without hits the rest is begun at once.
    time = 300
    await eventually(() => expect(begun).toHaveLength(6))
  })
})
