import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, describe, expect, it } from '@jest/globals'
import { createHistogram } from '../../../server/telemetry/histogram'
import type { MetricFamily } from '../../../server/ops/metrics/metric-family'
import { createRequestCounts } from '../../../server/telemetry/request-counts'
import { readSnapshots } from '../../../server/ops/metrics/read-snapshots'
import { openSnapshotFile, snapshotPath } from '../../../server/ops/metrics/snapshot-file'
import { temporaryFolder } from '../../../testing/release-with-tests'

const counter = (value: number, labels: Record<string, string> = {}): MetricFamily => ({
  name: 'c_total',
  help: 'c',
  type: 'counter',
  aggregator: 'sum',
  values: [{ value, labels }],
})
const gauge = (value: number): MetricFamily => ({
  name: 'g',
  help: 'g',
  type: 'gauge',
  aggregator: 'sum',
  values: [{ value, labels: {} }],
})

describe('counts', () => {
  it('are kept apart by route, language, cache and status', () => {
    const counts = createRequestCounts()
    for (const status of [200, 200, 304, 200]) counts.count('home', 'en', 'hit', status)
    counts.count('home', 'es', 'hit', 200)
    expect(counts.list()).toEqual([
      { route: 'home', locale: 'en', cache: 'hit', status: 200, count: 3 },
      { route: 'home', locale: 'en', cache: 'hit', status: 304, count: 1 },
      { route: 'home', locale: 'es', cache: 'hit', status: 200, count: 1 },
    ])
  })

  it('above the maximum of combinations are added together, so that memory stays limited', () => {
    const counts = createRequestCounts()
    for (let index = 0; index < 12_000; index += 1) counts.count(`route-${index}`, '', '', 200)
    const list = counts.list()
    expect(list.length).toBeLessThanOrEqual(10_001)
    expect(list.find(({ route }) => route === 'other')?.count).toBe(2000)
    expect(list.reduce((sum, { count }) => sum + count, 0)).toBe(12_000)
  })

  it('of durations are in the first bucket whose bound they do not exceed', () => {
    const times = createHistogram([0.1, 1])
    for (const seconds of [0.05, 0.1, 0.2, 1, 5]) times.observe(seconds)
    expect(times.read().counts).toEqual([2, 2, 1])
    expect(times.read().sum).toBeCloseTo(6.35)
  })
})

describe('the file that processes share', () => {
  const folder = temporaryFolder('metrics')
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('keeps the counts of ended processes, and counts none twice', () => {
    const one = openSnapshotFile(folder)
    one.publish([counter(5, { a: '1' }), gauge(7)])
    const two = openSnapshotFile(folder)
    two.publish([counter(3, { a: '1' })])
    expect(two.readOthers()).toMatchObject({
      running: [{ pid: process.pid, families: [counter(5, { a: '1' }), gauge(7)] }],
      ended: [],
    })
    one.close([counter(6, { a: '1' }), gauge(7)])
    for (let look = 0; look < 3; look += 1)
      expect(two.readOthers()).toEqual({ running: [], ended: [counter(6, { a: '1' })] })
    const three = openSnapshotFile(folder)
    three.close([counter(4, { a: '1' }), counter(1, { a: '2' })])
    expect(two.readOthers().ended).toEqual([
      {
        ...counter(0),
        values: [
          { value: 10, labels: { a: '1' } },
          { value: 1, labels: { a: '2' } },
        ],
      },
    ])
    two.close([])
  })

  it('detects a killed process by its id, and one on another machine by its missing updates', () => {
    const place = temporaryFolder('metrics-killed')
    let now = 1_000_000
    const file = openSnapshotFile(place, () => now)
    const { pid } = spawnSync(process.execPath, ['-e', ''])
    const db = new Database(join(place, 'metrics.db'))
    const put = (id: string, host: string, number: number): void =>
      void db
        .prepare(
          'INSERT INTO snapshots SELECT ?, coalesce(?, host), ?, ?, ? FROM snapshots LIMIT 1',
        )
        .run(id, host || null, number, now, JSON.stringify([counter(2)]))
    file.publish([])
    put('killed', '', pid)
    put('elsewhere', 'another-container', 1)
    expect(file.readOthers()).toMatchObject({ running: [{ pid: 1 }], ended: [counter(2)] })
    now += 61_000
    expect(file.readOthers()).toEqual({ running: [], ended: [counter(4)] })
    db.close()
    file.close([])
    rmSync(place, { recursive: true, force: true })
  })

  it('of an older version has no failed requests, and its figures are shown', () => {
    const place = temporaryFolder('metrics-older')
    const file = openSnapshotFile(place)
    file.publish([counter(2)], [{ at: 1, id: 'a', path: '/orders', message: 'failed' }])
    expect(readSnapshots(place)[0]?.failed).toEqual([
      { at: 1, id: 'a', path: '/orders', message: 'failed' },
    ])
    const db = new Database(snapshotPath(place))
    db.exec('DROP TABLE failures')
    db.close()
    expect(readSnapshots(place)).toEqual([{ pid: process.pid, families: [counter(2)], failed: [] }])
    rmSync(place, { recursive: true, force: true })
  })
})
