import { useCallback, useEffect, useState } from 'react'
import { Icon } from '../components/Icon'
import { focusMain } from './focus-main'
import { toasts, type Toast as ToastEntry } from './toasts'
import s from './ToastList.module.css'
import { useFloating } from './use-floating'
import { useStore } from '../platform/use-store'
import { useTexts } from '../use-texts'

function Toast({ toast }: { toast: ToastEntry }) {
  const t = useTexts('shell')
  const { id, kind, text } = toast
  // Screen readers announce changes of a region that is already in the page, so the text is added
  // after the first render.
  const [announced, setAnnounced] = useState('')
  useEffect(() => setAnnounced(text), [text])
  const ref = useCallback(
    (element: HTMLDivElement | null) => {
      const pause = (): void => toasts.pause(id)
      const resume = (): void => toasts.resume(id)
      const onFocusIn = (event: FocusEvent): void => {
        if (!(event.relatedTarget instanceof Node && element?.contains(event.relatedTarget)))
          pause()
      }
      const onFocusOut = (event: FocusEvent): void => {
        if (!(event.relatedTarget instanceof Node && element?.contains(event.relatedTarget)))
          resume()
      }
      element?.addEventListener('pointerenter', pause)
      element?.addEventListener('pointerleave', resume)
      element?.addEventListener('focusin', onFocusIn)
      element?.addEventListener('focusout', onFocusOut)
      return () => {
        element?.removeEventListener('pointerenter', pause)
        element?.removeEventListener('pointerleave', resume)
        element?.removeEventListener('focusin', onFocusIn)
        element?.removeEventListener('focusout', onFocusOut)
      }
    },
    [id],
  )
  return (
    <div ref={ref} className={s['toast']} data-shell="toast" data-kind={kind} role={kind}>
      <Icon name={kind === 'alert' ? 'warning' : 'check'} size={20} className={s['icon']} />
      <span className={s['text']}>{announced}</span>
      <button
        type="button"
        className={s['close']}
        data-action="close"
        data-track="page-toast-close"
        aria-label={t('close')}
        onClick={() => {
          focusMain()
          toasts.dismiss(id)
        }}
      >
        <Icon name="close" size={18} />
      </button>
    </div>
  )
}

function List({ list }: { list: readonly ToastEntry[] }) {
  const floatingRef = useFloating('toasts')
  return (
    <div ref={floatingRef} className={s['list']}>
      {list.map((toast) => (
        <Toast key={toast.id} toast={toast} />
      ))}
    </div>
  )
}

export function ToastList() {
  const list = useStore(toasts.list)
  return list.length > 0 ? <List list={list} /> : null
}
