import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../components/Icon'
import { toasts, type Toast as ToastEntry } from './toasts'
import s from './ToastList.module.css'
import { useCorner } from './use-corner'
import { useStore } from '../platform/use-store'

function Toast({ toast }: { toast: ToastEntry }) {
  const { t } = useTranslation()
  const { id, kind, text } = toast
  // Readers tell of what changes in a region that they know: the text comes after the region.
  const [spoken, setSpoken] = useState('')
  useEffect(() => setSpoken(text), [text])
  const ref = useCallback(
    (element: HTMLDivElement | null) => {
      const hold = (): void => toasts.hold(id)
      const release = (): void => toasts.release(id)
      const focusIn = (event: FocusEvent): void => {
        if (!(event.relatedTarget instanceof Node && element?.contains(event.relatedTarget))) hold()
      }
      const focusOut = (event: FocusEvent): void => {
        if (!(event.relatedTarget instanceof Node && element?.contains(event.relatedTarget)))
          release()
      }
      element?.addEventListener('pointerenter', hold)
      element?.addEventListener('pointerleave', release)
      element?.addEventListener('focusin', focusIn)
      element?.addEventListener('focusout', focusOut)
      return () => {
        element?.removeEventListener('pointerenter', hold)
        element?.removeEventListener('pointerleave', release)
        element?.removeEventListener('focusin', focusIn)
        element?.removeEventListener('focusout', focusOut)
      }
    },
    [id],
  )
  return (
    <div ref={ref} className={s['toast']} data-shell="toast" data-kind={kind} role={kind}>
      <Icon name={kind === 'alert' ? 'warning' : 'check'} size={20} className={s['icon']} />
      <span className={s['text']}>{spoken}</span>
      <button
        type="button"
        className={s['close']}
        data-action="close"
        aria-label={t('close')}
        onClick={() => toasts.dismiss(id)}
      >
        <Icon name="close" size={18} />
      </button>
    </div>
  )
}

function List({ list }: { list: readonly ToastEntry[] }) {
  const place = useCorner('toasts')
  return (
    <div ref={place} className={s['list']}>
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
