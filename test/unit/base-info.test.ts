import { describe, expect, it } from '@jest/globals'
import pino from 'pino'
import type { z } from 'zod'
import type { BaseInfo } from '../../server/content/store/read-base-info'
import { keepBaseInfo } from '../../server/api/upstream/base-info'
import type { ReadUpstream } from '../../server/api/upstream/read-upstream'

const local: BaseInfo = {
  register_url: '/app/register',
  login_url: '/app/login',
  title: 'Own',
  keywords: 'own',
  description: 'Own.',
  statistical_body: '',
  statistical_title: '',
}

function keeperOf(answer: (path: string, query: Readonly<Record<string, string>>) => unknown) {
  const lines: string[] = []
  let changes = 0
  const read: ReadUpstream = async <T>(
    path: string,
    query: Readonly<Record<string, string>>,
    data: z.ZodType<T>,
  ) => data.parse(await answer(path, query))
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const keeper = keepBaseInfo({
    read,
    local: { of: () => local, state: () => '', close: () => undefined },
    log,
    onChange: () => void (changes += 1),
  })
  return { keeper, lines, changes: () => changes }
}

describe('base info of a backend', () => {
  it("is this site's own until there is an answer, then the answer's, what is empty there excepted", async () => {
    const asked: string[] = []
    const { keeper, changes } = keeperOf((path, query) => {
      asked.push(`${path} ${query['lang']} ${query['type']}`)
      return { ...local, register_url: 'https://app.example.com/join', title: '' }
    })
    expect(keeper.of('en')).toEqual(local)
    const before = keeper.state()
    await keeper.refresh()
    expect(keeper.of('ko')).toEqual({ ...local, register_url: 'https://app.example.com/join' })
    expect([asked.length, asked[0], changes()]).toEqual([14, '/home/base-info en-US home', 1])
    await keeper.refresh()
    expect(changes()).toBe(1)
    // What pages are shared by: another answer is another state, the same answer elsewhere the same.
    const { keeper: elsewhere } = keeperOf(() => ({
      ...local,
      register_url: 'https://app.example.com/join',
      title: '',
    }))
    expect([elsewhere.state(), keeper.state() === before]).toEqual([before, false])
    await elsewhere.refresh()
    expect(elsewhere.state()).toBe(keeper.state())
    keeper.close()
  })

  it('stays the last good one while the backend fails, at one line of the log a round', async () => {
    let failing = false
    const { keeper, lines, changes } = keeperOf(() => {
      if (failing) throw new Error('no route')
      return { ...local, title: 'Theirs' }
    })
    await keeper.refresh()
    failing = true
    await keeper.refresh()
    expect([keeper.of('en').title, lines.length, changes()]).toEqual(['Theirs', 1, 1])
    keeper.close()
  })

  it('loses only the fields that are of another form', async () => {
    const { keeper } = keeperOf(() => ({
      register_url: 'javascript:alert(1)',
      login_url: '//evil.example',
      title: 7,
      keywords: 'theirs',
      description: 'x'.repeat(5000),
    }))
    await keeper.refresh()
    expect(keeper.of('en')).toEqual({ ...local, keywords: 'theirs' })
    keeper.close()
  })

  it('is not waited for', () => {
    const { keeper } = keeperOf(() => new Promise(() => undefined))
    void keeper.refresh()
    expect(keeper.of('en')).toEqual(local)
    keeper.close()
  })
})
