import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { createCompiler } from '../../../server/content/compile/compiler'
import { openForWriting } from '../../../server/content/database'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { buildFolder, root } from '../../../testing/root'

const tables = ['articles', 'tags', 'markdown', 'terms', 'article_terms', 'vocabulary', 'problems']

it('articles are compiled to the same rows with threads and without', () => {
  const folder = temporaryFolder('compile-threads')
  const content = join(folder, 'content')
  for (const name of ['site.yaml', 'product.yaml', 'docs'])
    cpSync(join(root, 'content', name), join(content, name), { recursive: true })
  function compile(name: string, threads: { worker?: string }) {
    const db = openForWriting(join(folder, name))
    const { compiled } = createCompiler(db, {
      content,
      locales: join(root, 'locales'),
      public: join(root, 'public'),
      compiler: 'test',
      routes: 'test',
      ...threads,
    })()
    const rows = tables.map((table) => [table, db.prepare(`SELECT * FROM ${table}`).all()])
    db.close()
    return { compiled, rows: Object.fromEntries(rows) as Record<string, unknown[]> }
  }
  const threaded = compile('threads.db', {
    worker: join(buildFolder(), 'server', 'compile-worker.js'),
  })
  const single = compile('single.db', {})
  expect(threaded.compiled).toBe(single.compiled)
  expect(threaded.compiled).toBeGreaterThan(120)
  for (const table of tables) expect(threaded.rows[table]).toEqual(single.rows[table])
}, 120_000)
