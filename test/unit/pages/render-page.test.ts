import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { OutputCollector } from '../../../server/pages/render/output-collector'
import { renderPage, type RenderDependencies } from '../../../server/pages/render/render-page'
import type { PageView, ViewModule } from '../../../shared/view'

const rejections: unknown[] = []
const note = (error: unknown): void => void rejections.push(error)
beforeAll(() => void process.on('unhandledRejection', note))
afterAll(() => void process.off('unhandledRejection', note))

// The client leaves before the page is rendered (spec 8.2).
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

describe('a page with a late island', () => {
  const parts = { start: '<start>', afterShell: '<after>', end: '<end>' }
  type Options = Parameters<ViewModule['streamPage']>[1]
  /** Streams a page whose parts `react` writes. */
  function stream(react: (options: Options) => void, pipe: (to: OutputCollector) => void) {
    const view: Partial<ViewModule> = {
      renderPage: () => '<whole>',
      streamPage(_page, options) {
        setImmediate(react, options)
        // The cast: `renderPage` passes its collector.
        return { pipe: (to) => pipe(to as OutputCollector), abort: () => undefined }
      },
    }
    return renderPage(
      {} as PageView,
      parts,
      new Map([['/island', Promise.resolve('')]]),
      new AbortController().signal,
      {
        view: view as ViewModule,
        asset: (name) => name,
        onError: () => undefined,
        islandWaitMs: 0,
      },
    )
  }

  it.each([
    [new Error('broken'), 'broken'],
    ['broken', 'broken'],
  ])('fails when its shell fails with %s', async (error, message) => {
    const rendering = stream(
      ({ onShellError }) => onShellError(error),
      () => undefined,
    )
    await expect(rendering).rejects.toThrow(new Error(message))
  })

  it('waits for a slow client before it writes more', async () => {
    const written: string[] = []
    const results: boolean[] = []
    let drain = (): void => undefined
    const rendering = await stream(
      ({ onShellReady, onAllReady }) => {
        onShellReady()
        onAllReady()
      },
      (to) => {
        const batch = (text: string): void => {
          to.write(text)
          to.flush()
          // The answer of the next write is for the batch before it.
          results.push(to.write(''))
        }
        to.write('<shell>')
        setImmediate(() => {
          batch('<one>')
          to.once('drain', () => {
            batch('<two>')
            to.end()
          })
          drain()
        })
      },
    )
    if (rendering.kind !== 'streaming') throw new Error('it is not late')
    const whole = await rendering.pipe({
      write(chunk) {
        written.push(chunk.toString())
        return chunk.toString() !== '<one>'
      },
      end: () => written.push('end'),
      onClose: () => undefined,
      onDrain: (listener) => (drain = listener),
    })
    expect(results).toEqual([false, true])
    expect(written).toEqual(['<start><shell><after>', '<one>', '<two>', '</div><end>', 'end'])
    expect(whole?.toString()).toBe('<start><whole></div><after><end>')
  })

  it('ends, and is not stored, when React gives it up after the shell', async () => {
    const written: string[] = []
    const rendering = await stream(
      ({ onShellReady, onError }) => {
        onShellReady()
        setImmediate(onError, new Error('broken'))
      },
      (to) => {
        to.write('<shell>')
        setImmediate(() => {
          to.write('<part>')
          to.destroy()
        })
      },
    )
    if (rendering.kind !== 'streaming') throw new Error('it is not late')
    const whole = await rendering.pipe({
      write: (chunk) => written.push(chunk.toString()) > 0,
      end: () => written.push('end'),
      onClose: () => undefined,
      onDrain: () => undefined,
    })
    expect(written).toEqual(['<start><shell><after>', '<part>', '</div><end>', 'end'])
    expect(whole).toBeNull()
  })
})
