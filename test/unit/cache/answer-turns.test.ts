import { beforeEach, describe, expect, it } from '@jest/globals'
import { createAnswerTurns, renewals } from '../../../server/cache/answer-turns'
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
  return { add, close: () => runner.close(), started, refused, endOne }
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

  it('that wait are refused with 503 when the site stops; the one that runs goes on', async () => {
    const { add, close, started, refused, endOne } = runnerOf(limits)
    const running = add('a')
    const waiting = [add('b'), add('c')]
    close()
    await Promise.all(waiting)
    expect([started, refused]).toEqual([['a'], [503, 503]])
    await endOne()
    await running
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

  describe('while the site sends many cached answers', () => {
    let hits = 0
    let time = 0
    const turns = () => createAnswerTurns({ hits: () => hits, now: () => time })
    beforeEach(() => {
      hits = 0
      time = 0
    })
    /** Lets time pass in which the site sends `sent` cached answers. */
    function pass(milliseconds: number, sent = milliseconds * 10): void {
      hits += sent
      time += milliseconds
    }

    it('are begun one in 300 ms for each address', async () => {
      const { begin } = turns()
      pass(100)
      const begun: string[] = []
      for (const group of ['a', 'a', 'a', 'a', 'b']) void begin(group).then(() => begun.push(group))
      await eventually(() => expect(begun).toHaveLength(1))
      pass(30)
      await eventually(() => expect([...begun].sort()).toEqual(['a', 'b']))
      pass(269)
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(begun).toHaveLength(2)
      pass(1)
      await eventually(() => expect(begun).toHaveLength(3))
      // Without hits the rest is begun at once, after a second.
      pass(1000, 0)
      await eventually(() => expect(begun).toHaveLength(5))
    })

    it('are begun one in 30 ms for all addresses together', async () => {
      const { begin } = turns()
      pass(100)
      let begun = 0
      for (let address = 0; address < 3; address += 1)
        void begin(`address ${address}`).then(() => (begun += 1))
      await eventually(() => expect(begun).toBe(1))
      pass(29)
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(begun).toBe(1)
      pass(1)
      await eventually(() => expect(begun).toBe(2))
      pass(30)
      await eventually(() => expect(begun).toBe(3))
    })

    it('are renewed 20 a second', async () => {
      const { begin } = turns()
      pass(100)
      let begun = 0
      for (let count = 0; count < 3; count += 1) void begin(renewals).then(() => (begun += 1))
      await eventually(() => expect(begun).toBe(1))
      pass(50)
      await eventually(() => expect(begun).toBe(2))
    })

    it('lose their turn when their client leaves', async () => {
      const { begin } = turns()
      pass(100)
      await begin('a')
      const controller = new AbortController()
      const left = begin('a', controller.signal)
      const begun: string[] = []
      void begin('a').then(() => begun.push('the next'))
      controller.abort()
      await left
      expect(begun).toEqual([])
      pass(300)
      await eventually(() => expect(begun).toEqual(['the next']))
    })
  })
})
