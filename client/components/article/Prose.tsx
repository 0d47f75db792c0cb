import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useScope } from '../../view-context'
import { ServerHtml } from '../ServerHtml'
import { useTexts } from '../../use-texts'

// Few readers enlarge a table or a picture, so the dialog is loaded when one does.
const Dialog = lazy(() => import('../Dialog').then((module) => ({ default: module.Dialog })))

/** Compiled Markdown. A script loaded after hydration adds copy buttons and keyboard scrolling. */
export function Prose({ html }: { html: string }) {
  const t = useTexts('article')
  const { asset } = useScope()
  const rootRef = useRef<HTMLDivElement>(null)
  const [enlarged, setEnlarged] = useState<{ html: string; title: string } | null>(null)
  useEffect(() => {
    let stop: (() => void) | undefined
    let canceled = false
    void import('./enhance-prose').then(({ enhanceProse }) => {
      const prose = rootRef.current?.querySelector<HTMLElement>('.prose')
      if (!prose || canceled) return
      stop = enhanceProse(
        prose,
        {
          spriteUrl: asset('sprite.svg'),
          copy: t('copyCode'),
          copied: t('copied'),
          code: t('code'),
          table: t('table'),
          enlarge: t('enlarge'),
          enlargePicture: t('enlargePicture'),
        },
        (enlargedHtml, title) => setEnlarged({ html: enlargedHtml, title }),
      )
    })
    return () => {
      canceled = true
      stop?.()
    }
  }, [html, t, asset])
  return (
    <div ref={rootRef}>
      <ServerHtml html={html} className="prose" />
      {enlarged && (
        <Suspense>
          <Dialog title={enlarged.title} close={t('close')} onClose={() => setEnlarged(null)}>
            <ServerHtml html={enlarged.html} className="prose prose-table" />
          </Dialog>
        </Suspense>
      )}
    </div>
  )
}
