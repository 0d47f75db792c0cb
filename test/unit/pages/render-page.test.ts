/** Pages whose client leaves before they are rendered (spec 8.2). */
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { renderPage, type RenderDependencies } from '../../../server/pages/render/render-page'
import type { PageView } from '../../../shared/view'

const rejections: unknown[] = []
const note = (error: unknown): void => void rejections.push(error)
beforeAll(() => void process.on('unhandledRejection', note))
afterAll(() => void process.off('unhandledRejection', note))

it('an island that fails after the client has left does not end the process', async () => {
  const late = new Promise<string>((_, reject) => setTimeout(() => reject(new Error('late')), 5))
  const parts = { start: '', afterShell: '', end: '' }
  // Neither is read, because nothing is rendered.
  const [page, dependencies] = [{} as PageView, { islandWaitMs: 0 } as RenderDependencies]
  const rendering = renderPage(
    page,
    parts,
    new Map([['/island', late]]),
    AbortSignal.abort(),
    dependencies,
  )
  await expect(rendering).rejects.toThrow('the client has disconnected')
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(rejections).toEqual([])
})
