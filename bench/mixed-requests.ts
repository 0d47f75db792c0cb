/**
 * The mix of requests that `memory` and `mixed` send: all kinds that visitors make. Records which
 * writes were acknowledged.
 */
import { randomUUID } from 'node:crypto'
import { sealFor } from '../testing/call-api'
import { fetchFrom } from '../testing/site'
import type { LoadRequest } from '../testing/steady-load'
import { soakPages, vote } from './soak-load'

/**
 * Batches of events are encrypted before the load starts, because that costs the load generator
 * more than sending.
 */
const batchCount = 400
const missingPages = 5000
const redirected = ['/Pricing', '/pricing/', '/index.html', '/vi/pricing', '//faq']
const words = [
  'profile',
  'proxy',
  'pr',
  'schedule',
  'nothing-of-the-kind',
  'team',
  'storage',
  'colleage',
]
const languages = ['en', 'zh', 'th', 'es', 'ru', 'jp']

/** Writes that the site answered with 200. It must have stored all of them. */
export type Acknowledged = { votes: number; eventIds: Set<string> }
type MixedRequests = { next: (index: number) => LoadRequest; acknowledged: Acknowledged }

/** The cast: none of these lists is empty. */
const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T

async function sealedBatches(port: number, acknowledged: Acknowledged): Promise<LoadRequest[]> {
  const seal = await sealFor(port)
  return Promise.all(
    Array.from({ length: batchCount }, async () => {
      const ids = [randomUUID(), randomUUID()]
      const list = ids.map((id) => ({ id, ts: Date.now(), kind: 'view', op: 0, url: '/' }))
      const envelope = await seal(JSON.stringify({ list, comm: { device_id: ids[0] } }))
      return {
        path: '/api/sys/config/event',
        method: 'POST',
        body: new URLSearchParams(envelope).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        answered: (status) => {
          if (status === 200) for (const id of ids) acknowledged.eventIds.add(id)
        },
      }
    }),
  )
}

/** Prepares the requests for a site that is ready. */
export async function mixedRequests(port: number): Promise<MixedRequests> {
  const { etag = '' } = (await fetchFrom(port, '/pricing')).headers
  const { id } = JSON.parse((await fetchFrom(port, '/builds/latest.json')).body) as { id: string }
  const acknowledged: Acknowledged = { votes: 0, eventIds: new Set() }
  const batches = await sealedBatches(port, acknowledged)
  const countedVote: LoadRequest = {
    ...vote,
    answered: (status) => {
      if (status === 200) acknowledged.votes += 1
    },
  }
  /**
   * Of 20 requests 11 are plain pages, 3 of them on new connections; the others are one of each
   * kind.
   */
  const next = (index: number): LoadRequest => {
    const turn = Math.floor(index / 20)
    const page = at(soakPages, turn)
    switch (index % 20) {
      case 0:
        return { path: '/pricing', headers: { 'if-none-match': etag } }
      case 1:
        return { path: `/no-such-page-${turn % missingPages}` }
      case 2:
        return { path: at(redirected, turn) }
      case 3:
        return { path: `${page.replace(/\/$/, '')}/_payload.json?${id}` }
      case 4:
        return { path: `/api/site/search?q=${at(words, turn)}&lang=${at(languages, turn)}` }
      case 5:
        return at(batches, turn)
      case 6:
        return countedVote
      case 7:
        return { path: `/blog?page=${1 + (turn % 4)}` }
      case 8:
        return { path: `${page}?utm_source=${turn}` }
      case 9:
      case 10:
      case 11:
        return { path: page, fresh: true }
      default:
        return { path: at(soakPages, index) }
    }
  }
  return { next, acknowledged }
}
