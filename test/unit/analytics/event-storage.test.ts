import { beforeEach, describe, expect, it } from '@jest/globals'
import { createEventStorage, type EventStorage } from '../../../client/analytics/event-storage'
import { createEvents } from '../../../testing/analytics-events'
import { memoryStorage } from '../../../testing/memory-storage'

let event = createEvents()
let memory: ReturnType<typeof memoryStorage>
let storage: EventStorage
beforeEach(() => {
  event = createEvents()
  memory = memoryStorage()
  storage = createEventStorage(memory, 'tab1')
})

it('keeps at most 200 events and drops the oldest', () => {
  for (let index = 0; index < 230; index += 1) storage.store(event())
  expect(memory.entries.size).toBe(200)
  expect(createEventStorage(memory, 'tab1').takeOrphaned(0)[0]?.id).toBe('e31')
})

it('keeps at most 256 KB', () => {
  for (let index = 0; index < 20; index += 1) storage.store(event({ title: 'x'.repeat(20_000) }))
  expect(
    [...memory.entries].reduce((sum, [key, value]) => sum + key.length + value.length, 0),
  ).toBeLessThanOrEqual(256 * 1024)
  expect(memory.entries.size).toBe(13)
})

it('leaves recent events of another tab to that tab', () => {
  storage.store(event({ ts: 1_000_000 }))
  const other = createEventStorage(memory, 'tab2')
  expect(other.takeOrphaned(1_010_000)).toEqual([])
  expect(other.takeOrphaned(1_016_000)).toHaveLength(1)
})

it('takes over orphaned events of another tab and leaves no copy behind', () => {
  storage.store(event({ ts: 1_000_000 }))
  const other = createEventStorage(memory, 'tab2')
  const [left] = other.takeOrphaned(1_016_000)
  expect(left).toBeDefined()
  if (!left) return
  other.store(left)
  expect([...memory.entries.keys()]).toEqual(['event:tab2:1000000:e1'])
  other.acknowledge([left])
  expect(memory.entries.size).toBe(0)
})

it('does not take over the events of its own page', () => {
  storage.store(event())
  expect(storage.takeOrphaned(1_000_000)).toEqual([])
  expect(memory.entries.size).toBe(1)
})

it('drops unreadable events', () => {
  memory.entries.set('event:tab1:5:x', '{broken')
  expect(createEventStorage(memory, 'tab1').takeOrphaned(10)).toEqual([])
  expect(memory.entries.size).toBe(0)
})

it('returns events oldest first, and keeps them stored', () => {
  for (const ts of [30, 10, 20]) storage.store(event({ ts }))
  const next = createEventStorage(memory, 'tab1')
  expect(next.takeOrphaned(100).map(({ ts }) => ts)).toEqual([10, 20, 30])
  expect(memory.entries.size).toBe(3)
})

it('fills its 256 KB exactly', () => {
  const store = (title: string, length: number): void => {
    const key = 'event:tab1:1:e1'.length
    const empty = JSON.stringify(event()).length
    event = createEvents()
    storage = createEventStorage(memory, 'tab1')
    storage.store({ ...event({ title: title.repeat(length - key - empty) }), id: `${title}1` })
  }
  store('a', 100_000)
  store('b', 256 * 1024 - 100_000)
  expect(memory.entries.size).toBe(2)
  store('c', 100_000)
  expect([...memory.entries.keys()]).toEqual(['event:tab1:1:b1', 'event:tab1:1:c1'])
})

it('stores no event that is larger than 256 KB by itself, and drops no other for it', () => {
  storage.store(event())
  const empty = JSON.stringify(event({ id: 'x' })).length
  const ofLength = (length: number) => ({
    ...event({ id: 'x', ts: 2 }),
    title: 'x'.repeat(length - empty),
  })
  storage.store(ofLength(256 * 1024 + 1))
  expect([...memory.entries.keys()]).toEqual(['event:tab1:1:e1'])
  storage.store(ofLength(256 * 1024))
  expect([...memory.entries.keys()]).toEqual(['event:tab1:2:x'])
})

it.each([
  'event:tab1:abc:x',
  'event:tab1:5:',
  'event:tab1:5',
  'event:tab1',
  'event:tab1:x5:y',
  'event:tab1:5x:y',
])('leaves %s alone, which is no key of an event', (key) => {
  memory.entries.set(key, JSON.stringify(event()))
  expect(storage.takeOrphaned(1_000_000)).toEqual([])
  expect(memory.entries.has(key)).toBe(true)
})

it.each(['{"id":"x"}', '{"kind":"view"}', '{"id":1,"kind":"view"}', '{"id":"x","kind":1}', '5'])(
  'drops %s, which is no event',
  (text) => {
    memory.entries.set('event:tab1:5:x', text)
    expect(storage.takeOrphaned(10)).toEqual([])
    expect(memory.entries.size).toBe(0)
  },
)

it('takes over events of another tab after exactly 15 s', () => {
  storage.store(event({ ts: 1_000_000 }))
  const other = createEventStorage(memory, 'tab2')
  expect(other.takeOrphaned(1_014_999)).toEqual([])
  expect(other.takeOrphaned(1_015_000)).toHaveLength(1)
})

describe('an event of an earlier page', () => {
  it('stays stored under its own key when the same tab stores it again', () => {
    storage.store(event())
    const next = createEventStorage(memory, 'tab1')
    for (const left of next.takeOrphaned(10)) next.store(left)
    expect([...memory.entries.keys()]).toEqual(['event:tab1:1:e1'])
  })

  it('stays where it was when there is no room for another copy', () => {
    storage.store(event({ ts: 1_000_000 }))
    const other = createEventStorage(memory, 'tab2')
    const list = other.takeOrphaned(1_016_000)
    memory.full = true
    for (const left of list) other.store(left)
    expect([...memory.entries.keys()]).toEqual(['event:tab1:1000000:e1'])
  })

  it('is acknowledged alone', () => {
    storage.store(event())
    storage.store(event())
    createEventStorage(memory, 'tab1').acknowledge([{ id: 'e1' }])
    expect([...memory.entries.keys()]).toEqual(['event:tab1:2:e2'])
  })
})

it('forgets what it has stored when the visitor refuses', () => {
  const first = event()
  storage.store(first)
  storage.clear()
  expect(memory.entries.size).toBe(0)
  memory.entries.set('event:tab2:1:e1', JSON.stringify(first))
  expect(storage.takeOrphaned(1_000_000)).toHaveLength(1)
})
