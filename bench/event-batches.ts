import { randomUUID } from 'node:crypto'
import { sealFor } from '../testing/call-api'

/** A batch of two events as a form; `ids` are those of its events. */
export type Batch = { ids: readonly string[]; body: string }

/** Encrypts new batches for a site, as its pages do. */
export async function sealBatches(port: number, count: number): Promise<Batch[]> {
  const seal = await sealFor(port)
  return Promise.all(
    Array.from({ length: count }, async () => {
      const ids = [randomUUID(), randomUUID()]
      const { _t, _a } = await seal(
        JSON.stringify({
          list: ids.map((id) => ({ id, ts: Date.now(), kind: 'view', op: 0, url: '/' })),
          comm: { device_id: ids[0] },
        }),
      )
      return { ids, body: `_t=${_t}&_a=${_a}` }
    }),
  )
}
