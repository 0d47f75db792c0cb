import { beforeEach, describe, expect, it } from '@jest/globals'
import { ApiFailure } from '../../../client/platform/api-client'
import { splitIntoBatches } from '../../../client/analytics/event-batches'
import { createEventSender, type EventSender } from '../../../client/analytics/event-sender'
import { createEventStorage, type EventStorage } from '../../../client/analytics/event-storage'
import type { EventBatch, EventContext } from '../../../shared/analytics-event'
import { createEvents } from '../../../testing/analytics-events'
import { fakeClock, type FakeClock } from '../../../testing/fake-clock'
import { memoryStorage } from '../../../testing/memory-storage'

const context: EventContext = {
  user_id: '',
  user_info: {},
  os: 'Linux',
  ua: 'test',
  device_id: 'd',
  screen_height: 1,
  screen_width: 1,
  pixel_ratio: 1,
  app_version: '',
  page_flag: 'home',
  object_type: 'website',
  locale: 'en',
}
let event = createEvents()

let clock: FakeClock
let memory: ReturnType<typeof memoryStorage>
let storage: EventStorage
let posted: string[][]
let beacons: string[][]
let warnings: string[]
let answer: () => Promise<void>
let forgotten: number
/** The browser accepts no more beacons. */
let isBeaconQueueFull: boolean
let sender: EventSender
const idsOf = (envelope: { _a: string }): string[] =>
  (JSON.parse(envelope._a) as EventBatch).list.map(({ id }) => id)

beforeEach(() => {
  event = createEvents()
  clock = fakeClock()
  memory = memoryStorage()
  storage = createEventStorage(memory, 'tab1')
  posted = []
  beacons = []
  warnings = []
  forgotten = 0
  isBeaconQueueFull = false
  answer = () => Promise.resolve()
  sender = createEventSender({
    clock,
    storage,
    context: () => context,
    warn: (message) => warnings.push(message),
    transport: {
      encrypt: (batch) => Promise.resolve({ _t: '', _a: JSON.stringify(batch) }),
      post(envelope) {
        posted.push(idsOf(envelope))
        return answer()
      },
      beacon: (envelope) => !isBeaconQueueFull && beacons.push(idsOf(envelope)) > 0,
      forgetKey: () => void (forgotten += 1),
    },
  })
})

it('sends 10 s after the last event and not before', async () => {
  sender.add(event())
  await clock.pass(9000)
  sender.add(event())
  await clock.pass(9999)
  expect(posted).toEqual([])
  await clock.pass(1)
  expect(posted).toEqual([['e1', 'e2']])
  expect(memory.entries.size).toBe(0)
})

it('sends at 20 events, and at once with `sendNow`', async () => {
  for (let index = 0; index < 20; index += 1) sender.add(event())
  await clock.pass(0)
  expect(posted.map((list) => list.length)).toEqual([20])
  sender.add(event(), true)
  await clock.pass(0)
  expect(posted.map((list) => list.length)).toEqual([20, 1])
})

it('keeps an event stored until it is acknowledged; tries again after growing delays', async () => {
  answer = () => Promise.reject(new ApiFailure('req error', 0, 'offline'))
  sender.add(event(), true)
  await clock.pass(0)
  expect(memory.entries.size).toBe(1)
  for (const wait of [10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000]) {
    const before = posted.length
    await clock.pass(wait - 1)
    expect(posted.length).toBe(before)
    await clock.pass(1)
    expect(posted.length).toBe(before + 1)
  }
  expect(warnings).toHaveLength(1)
  answer = () => Promise.resolve()
  await clock.pass(300_000)
  expect(memory.entries.size).toBe(0)
})

it('waits as long as `Retry-After` says', async () => {
  answer = () => Promise.reject(new ApiFailure('res error', 429, 'too many', 60))
  sender.add(event(), true)
  await clock.pass(59_999)
  expect(posted).toHaveLength(1)
  await clock.pass(1)
  expect(posted).toHaveLength(2)
})

it('fetches a new key after a refusal, and drops a batch that is refused again', async () => {
  answer = () => Promise.reject(new ApiFailure('res error', 400, 'bad'))
  sender.add(event(), true)
  await clock.pass(60_000)
  expect(forgotten).toBe(3)
  expect(memory.entries.size).toBe(0)
})

it('drops no batch before its third refusal, even if the batch before it was dropped', async () => {
  answer = () => Promise.reject(new ApiFailure('res error', 400, 'bad'))
  for (let index = 0; index < 2; index += 1) {
    sender.add(event(), true)
    await clock.pass(3_600_000)
  }
  expect(posted.flat()).toEqual(['e1', 'e1', 'e1', 'e2', 'e2', 'e2'])
})

it('hands the queue to the browser when the page is left, but keeps it stored', async () => {
  sender.add(event())
  await sender.flushWithBeacon()
  expect(beacons).toEqual([['e1']])
  expect(memory.entries.size).toBe(1)
  const next = createEventStorage(memory, 'tab1')
  expect(next.takeOrphaned(5).map(({ id }) => id)).toEqual(['e1'])
  next.acknowledge([{ id: 'e1' }])
  expect(memory.entries.size).toBe(0)
})

describe('batches', () => {
  it('have at most 20 events and 40 KiB; an event that is too large by itself is left out', () => {
    const large = event({ title: 'x'.repeat(15_000) })
    const list = [
      large,
      { ...large, id: 'b' },
      { ...large, id: 'c' },
      event({ title: '界'.repeat(14_000) }),
      ...Array.from({ length: 25 }, () => event()),
    ]
    const made = splitIntoBatches(list, context)
    expect(made.flat()).toHaveLength(28)
    for (const batch of made) {
      expect(batch.length).toBeLessThanOrEqual(20)
      expect(Buffer.byteLength(JSON.stringify({ list: batch, comm: context }))).toBeLessThanOrEqual(
        40 * 1024,
      )
    }
  })

  const bytesOf = (list: readonly unknown[]): number =>
    Buffer.byteLength(JSON.stringify({ list, comm: context }))
  /** The last event gets a title with which one batch of all has this size. */
  function padded(size: number, ...events: ReturnType<typeof event>[]) {
    const last = events.at(-1)
    if (last) last.title = 'x'.repeat(size - bytesOf(events))
    return events
  }
  // The comma after the last event counts too.
  const limit = 40 * 1024 - 1

  it('are full at 40 KiB with the context', () => {
    expect(splitIntoBatches(padded(limit, event()), context)).toHaveLength(1)
    expect(splitIntoBatches(padded(limit + 1, event()), context)).toEqual([])
    expect(splitIntoBatches(padded(limit, event(), event()), context)).toHaveLength(1)
    expect(splitIntoBatches(padded(limit + 1, event(), event()), context)).toHaveLength(2)
  })

  it('follow each other until the queue is empty', async () => {
    for (let index = 0; index < 3; index += 1) sender.add(event({ title: 'x'.repeat(15_000) }))
    await clock.pass(10_000)
    expect(posted).toEqual([['e1', 'e2'], ['e3']])
    expect(memory.entries.size).toBe(0)
  })

  it('leave out an event that is too large by itself, which is then forgotten', async () => {
    sender.add(event({ title: 'x'.repeat(50_000) }))
    await clock.pass(10_000)
    await sender.flushWithBeacon()
    expect([posted, beacons, memory.entries.size]).toEqual([[], [], 0])
  })
})

describe('a failure', () => {
  it.each([
    ['500', new ApiFailure('res error', 500, 'broken')],
    ['no answer', new ApiFailure('req error', 0, 'offline')],
    ['no answer', new TypeError('no key')],
  ])('is reported as %s, and repeated after 10 s', async (reason, failure) => {
    answer = () => Promise.reject(failure)
    sender.add(event(), true)
    await clock.pass(9999)
    expect(warnings).toEqual([`events could not be sent (${reason}); they are kept and sent later`])
    expect([posted, forgotten]).toEqual([[['e1']], 0])
    await clock.pass(1)
    expect(posted).toHaveLength(2)
  })

  it('delays later events too, also urgent ones', async () => {
    answer = () => Promise.reject(new ApiFailure('res error', 429, 'too many', 60))
    sender.add(event(), true)
    await clock.pass(0)
    sender.add(event(), true)
    await clock.pass(59_999)
    expect(posted).toEqual([['e1']])
    answer = () => Promise.resolve()
    await clock.pass(1)
    expect(posted).toEqual([['e1'], ['e1', 'e2']])
  })

  it('is final when the batch is too large for the server', async () => {
    answer = () => Promise.reject(new ApiFailure('res error', 413, 'too large'))
    sender.add(event(), true)
    await clock.pass(60_000)
    expect([posted, memory.entries.size, forgotten]).toEqual([[['e1']], 0, 0])
  })

  const fail = (status: number) => () => Promise.reject(new ApiFailure('res error', status, 'no'))
  it.each([
    ['its batch was refused as too large', 413, () => Promise.resolve()],
    ['its batch was refused three times', 400, () => Promise.resolve()],
    ['its batch was discarded', 500, () => Promise.resolve(sender.discard())],
    ['the page was hidden with an empty queue', 413, () => sender.flushWithBeacon()],
  ])('delays later events no longer after %s', async (_name, status, act) => {
    answer = fail(status)
    sender.add(event(), true)
    await clock.pass(0)
    await act()
    await clock.pass(120_000)
    answer = () => Promise.resolve()
    sender.add(event())
    await clock.pass(10_000)
    expect(posted.at(-1)).toEqual(['e2'])
  })

  it('of another kind does not count as a refusal, whose batch is sent again with a new key', async () => {
    const statuses = [0, 0, 400, 400, 500, 400, 400]
    answer = () => {
      const status = statuses.shift()
      return status === undefined ? Promise.resolve() : fail(status)()
    }
    sender.add(event(), true)
    await clock.pass(3_600_000)
    expect([posted.length, forgotten, memory.entries.size]).toEqual([8, 4, 0])
  })

  it('is repeated as late as `Retry-After` says, also when the page is hidden meanwhile', async () => {
    answer = () => Promise.reject(new ApiFailure('res error', 429, 'too many', 60))
    sender.add(event(), true)
    await clock.pass(0)
    await sender.flushWithBeacon()
    await clock.pass(59_999)
    expect(posted).toHaveLength(1)
    await clock.pass(1)
    expect(posted).toHaveLength(2)
  })
})

it('sends nothing after it was stopped', async () => {
  sender.add(event())
  sender.stop()
  await clock.pass(60_000)
  expect(posted).toEqual([])
})

it('sends even when nothing can be stored', async () => {
  memory.full = true
  sender.add(event(), true)
  await clock.pass(0)
  expect(posted).toEqual([['e1']])
})

describe('leaving the page', () => {
  it('hands over encrypted events synchronously', async () => {
    const first = event()
    sender.add(first)
    await clock.pass(0)
    const left = sender.flushWithBeacon()
    // In the same task: a page that is being closed runs no further ones.
    expect(beacons).toEqual([[first.id]])
    await left
    expect(beacons).toEqual([[first.id]])
  })
  it('hands an event over once; a page that stays open also sends it', async () => {
    sender.add(event())
    await clock.pass(0)
    await sender.flushWithBeacon()
    await sender.flushWithBeacon()
    expect(beacons).toEqual([['e1']])
    await clock.pass(10_000)
    expect(posted).toEqual([['e1']])
    expect(memory.entries.size).toBe(0)
  })
  it('hands over no event that the server has', async () => {
    sender.add(event(), true)
    await clock.pass(0)
    await sender.flushWithBeacon()
    expect([posted, beacons]).toEqual([[['e1']], []])
  })
  it('keeps events that the browser does not accept', async () => {
    isBeaconQueueFull = true
    sender.add(event())
    await clock.pass(0)
    await sender.flushWithBeacon()
    expect([beacons, memory.entries.size]).toEqual([[], 1])
  })
})

describe('after a refusal', () => {
  it('sends no event that was queued before', async () => {
    sender.add(event())
    sender.discard()
    await clock.pass(60_000)
    await sender.flushWithBeacon()
    expect([posted, beacons]).toEqual([[], []])
  })
  it('does not repeat a batch that was under way', async () => {
    let fail = (): void => undefined
    answer = () =>
      new Promise((_resolve, reject) => {
        fail = () => reject(new ApiFailure('req error', 0, 'offline'))
      })
    sender.add(event(), true)
    await clock.pass(0)
    sender.discard()
    fail()
    await clock.pass(60_000)
    expect(posted).toEqual([['e1']])
  })
  it('does not repeat a batch that fails', async () => {
    answer = () => Promise.reject(new ApiFailure('req error', 0, 'offline'))
    sender.add(event(), true)
    await clock.pass(0)
    answer = () => Promise.resolve()
    sender.discard()
    sender.add(event())
    await clock.pass(60_000)
    expect(posted).toEqual([['e1'], ['e2']])
  })
})
