import { describe, expect, it } from '@jest/globals'
import pino from 'pino'
import type { z } from 'zod'
import type { BaseInfo } from '../../../server/content/store/read-base-info'
import { createUpstreamBaseInfo } from '../../../server/api/upstream/base-info'
import type { ReadUpstream } from '../../../server/api/upstream/upstream-reader'

const local: BaseInfo = {
  register_url: '/app/register',
  login_url: '/app/login',
  title: 'Own',
  keywords: 'own',
  description: 'Own.',
  statistical_body: '',
  statistical_title: '',
}

function baseInfoFrom(answer: (path: string, query: Readonly<Record<string, string>>) => unknown) {
  const lines: string[] = []
  let changes = 0
  const read: ReadUpstream = async <T>(
    path: string,
    query: Readonly<Record<string, string>>,
    data: z.ZodType<T>,
  ) => data.parse(await answer(path, query))
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const baseInfo = createUpstreamBaseInfo({
    read,
    local: { of: () => local },
    log,
    onChange: () => void (changes += 1),
  })
  return { baseInfo, lines, changes: () => changes }
}

describe('base info of a backend', () => {
  it("is the site's until the backend responds, then the backend's except for empty fields", async () => {
    const requests: string[] = []
    const { baseInfo, changes } = baseInfoFrom((path, query) => {
      requests.push(`${path} ${query['lang']} ${query['type']}`)
      return { ...local, register_url: 'https://app.example.com/join', title: '' }
    })
    expect(baseInfo.of('en')).toEqual(local)
    const before = baseInfo.state()
    await baseInfo.refresh()
    expect(baseInfo.of('ko')).toEqual({ ...local, register_url: 'https://app.example.com/join' })
    expect([requests.length, requests[0], changes()]).toEqual([14, '/home/base-info en-US home', 1])
    await baseInfo.refresh()
    expect(changes()).toBe(1)
    // Pages are shared by this state: equal responses give equal states in other processes.
    const { baseInfo: elsewhere } = baseInfoFrom(() => ({
      ...local,
      register_url: 'https://app.example.com/join',
      title: '',
    }))
    expect([elsewhere.state(), baseInfo.state() === before]).toEqual([before, false])
    await elsewhere.refresh()
    expect(elsewhere.state()).toBe(baseInfo.state())
  })

  it('stays the last good one while the backend fails, with one log line per refresh', async () => {
    let failing = false
    const { baseInfo, lines, changes } = baseInfoFrom(() => {
      if (failing) throw new Error('no route')
      return { ...local, title: 'Theirs' }
    })
    await baseInfo.refresh()
    failing = true
    await baseInfo.refresh()
    expect([baseInfo.of('en').title, lines.length, changes()]).toEqual(['Theirs', 1, 1])
  })

  it('ignores only the malformed fields', async () => {
    const { baseInfo } = baseInfoFrom(() => ({
      register_url: 'javascript:alert(1)',
      login_url: '//evil.example',
      title: 7,
      keywords: 'theirs',
      description: 'x'.repeat(5000),
    }))
    await baseInfo.refresh()
    expect(baseInfo.of('en')).toEqual({ ...local, keywords: 'theirs' })
  })

  it('is available at once while the backend does not respond', () => {
    const { baseInfo } = baseInfoFrom(() => new Promise(() => undefined))
    void baseInfo.refresh()
    expect(baseInfo.of('en')).toEqual(local)
  })
})
