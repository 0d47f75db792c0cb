import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { check } from 'recheck'
import { root } from '../../../testing/root'

/**
 * Lint checks the expressions that are written as literals (`eslint.config.mjs`). These files build
 * theirs from lists, once, when they are loaded.
 */
const files = ['server', 'client', 'shared']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
      join(root, folder, path),
    ),
  )
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path, count: readFileSync(path, 'utf8').split('new RegExp(').length - 1 }))
  .filter(({ count }) => count > 0)

/** recheck does not know the flag `v`: runs of letters of two classes that share none. */
const exceptions = [/^\(\[\[.*\]\+\)\|\(\[\[.*\]\+\)$/]

describe('a regular expression that is built from a list', () => {
  const original = globalThis.RegExp
  const built: Array<{ source: string; flags: string }> = []
  globalThis.RegExp = new Proxy(original, {
    construct(target, args: [string, string?]) {
      built.push({ source: args[0], flags: args[1] ?? '' })
      return new target(...args)
    },
  })
  afterAll(() => {
    globalThis.RegExp = original
  })

  it('is built once, and takes linear time', async () => {
    for (const { path } of files) await import(path)
    globalThis.RegExp = original
    expect(built).toHaveLength(files.reduce((sum, { count }) => sum + count, 0))
    const checked = built.filter(({ source }) => !exceptions.some((form) => form.test(source)))
    for (const { source, flags } of checked)
      expect(
        await check(source, flags, { checker: 'automaton', maxRepeatCount: 2500 }),
      ).toMatchObject({
        source,
        status: 'safe',
      })
    expect(checked).toHaveLength(built.length - exceptions.length)
  })
})
