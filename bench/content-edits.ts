/** Edits articles of a running site repeatedly and checks that each edit becomes visible. */
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from '../testing/root'
import { temporaryFolder } from '../testing/release-with-tests'
import { fetchFrom } from '../testing/site'

const editIntervalMs = 500
const pollIntervalMs = 50
/**
 * An edit that is not visible after this time counts as failed. Edits are visible within a second
 * unless the machine is overloaded.
 */
const visibleTimeoutMs = 30_000

export type EditResult = {
  made: number
  seen: number
  slowestMs: number
  /** Edits that did not become visible, and requests for them that failed. */
  failures: string[]
}

/** A copy of the starter content that may be edited. The caller deletes it. */
export function copyContent(): string {
  const folder = temporaryFolder('soak-content')
  cpSync(join(root, 'content'), folder, { recursive: true })
  return folder
}

type Article = { path: string; file: string; text: string }

const articlesOf = (content: string): Article[] =>
  readdirSync(join(content, 'blog'))
    .map((name) => ({ path: `/blog/${name}`, file: join(content, 'blog', name, 'en.md') }))
    .filter(({ file }) => existsSync(file))
    .map((article) => ({ ...article, text: readFileSync(article.file, 'utf8') }))

/** Number of the edit that a page shows; 0 before the first one. */
const shownEdit = (page: string): number => Number(/Edited (\d+) times\./.exec(page)?.[1] ?? 0)

/**
 * Edits one article after the other without waiting for the previous edit. `stop` waits for the
 * edits that are not visible yet.
 */
export function editRepeatedly(port: number, content: string): { stop: () => Promise<EditResult> } {
  const result: EditResult = { made: 0, seen: 0, slowestMs: 0, failures: [] }
  const articles = articlesOf(content)
  const pending = new Set<Promise<void>>()
  let stopped = false

  async function waitUntilVisible({ path }: Article, edit: number): Promise<void> {
    const startedAt = performance.now()
    while (performance.now() - startedAt < visibleTimeoutMs) {
      const { status, body } = await fetchFrom(port, path)
      if (status !== 200) throw new Error(`${path} answered ${status}`)
      // A later edit of the same article replaces this one.
      if (shownEdit(body) >= edit) {
        result.seen += 1
        result.slowestMs = Math.max(result.slowestMs, performance.now() - startedAt)
        return
      }
      await sleep(pollIntervalMs)
    }
    throw new Error(`edit ${edit} of ${path} was not visible after ${visibleTimeoutMs / 1000} s`)
  }

  const edits = (async () => {
    while (!stopped) {
      const article = articles[result.made % articles.length]
      if (!article) throw new Error(`there are no articles below ${content}`)
      result.made += 1
      writeFileSync(article.file, `${article.text}\nEdited ${result.made} times.\n`)
      const visible = waitUntilVisible(article, result.made)
        .catch(
          (error: unknown) =>
            void result.failures.push(error instanceof Error ? error.message : String(error)),
        )
        .finally(() => pending.delete(visible))
      pending.add(visible)
      await sleep(editIntervalMs)
    }
  })()

  return {
    async stop() {
      stopped = true
      await edits
      await Promise.all(pending)
      return result
    },
  }
}
