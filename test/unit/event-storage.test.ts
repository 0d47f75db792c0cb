import { beforeEach, expect, it } from '@jest/globals'
import { createEventStorage, type EventStorage } from '../../client/analytics/event-storage'
import { createEvents } from '../../testing/analytics-events'
import { memoryStorage } from '../../testing/memory-storage'

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

it('drops unreadable events', () => {
  memory.entries.set('event:tab1:5:x', '{broken')
  expect(createEventStorage(memory, 'tab1').takeOrphaned(10)).toEqual([])
  expect(memory.entries.size).toBe(0)
})
