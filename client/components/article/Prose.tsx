import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useScope } from '../../view-context'
import { Html } from '../Html'

// Few readers enlarge a table: what it takes comes when one does.
const Dialog = lazy(() => import('../Dialog').then((module) => ({ default: module.Dialog })))

/** Compiled text. What script can add to it comes after the first paint: copying of code, tables and code by keyboard. */
export function Prose({ html, lang }: { html: string; lang?: string | undefined }) {
  const { t } = useTranslation('article')
  const { asset } = useScope()
  const place = useRef<HTMLDivElement>(null)
  const [table, setTable] = useState<string | null>(null)
  useEffect(() => {
    let stop: (() => void) | undefined
    let gone = false
    void import('./enhance-prose').then(({ enhanceProse }) => {
      const prose = place.current?.querySelector<HTMLElement>('.prose')
      if (!prose || gone) return
      stop = enhanceProse(
        prose,
        {
          sprite: asset('sprite.svg'),
          copy: t('copyCode'),
          copied: t('copied'),
          code: t('code'),
          table: t('table'),
          enlarge: t('enlarge'),
        },
        setTable,
      )
    })
    return () => {
      gone = true
      stop?.()
    }
  }, [html, t, asset])
  return (
    <div ref={place}>
      <Html html={html} className="prose" lang={lang} />
      {table !== null && (
        <Suspense>
          <Dialog title={t('table')} close={t('close')} onClose={() => setTable(null)}>
            <Html html={table} className="prose prose-table" lang={lang} />
          </Dialog>
        </Suspense>
      )}
    </div>
  )
}
