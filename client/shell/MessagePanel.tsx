import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { href } from '../../shared/routes/href'
import { Icon } from '../components/Icon'
import { usePage } from '../view-context'
import { showToast } from './toasts'
import { MessageForm } from './MessageForm'
import s from './MessagePanel.module.css'
import { pageApi } from '../platform/page-api'
import { useCorner } from './use-corner'

function Address({ label, address }: { label: string; address: string }) {
  const { t } = useTranslation()
  const copy = (): void => {
    navigator.clipboard.writeText(address).then(
      () => showToast(t('message.copied')),
      () => showToast(t('message.notCopied'), 'alert'),
    )
  }
  return (
    <li className={s['row']}>
      <span className={s['label']}>{label}</span>
      <a className={s['address']} href={`mailto:${address}`}>
        {address}
      </a>
      <button
        type="button"
        className={s['icon']}
        data-action="copy"
        aria-label={t('message.copy', { address })}
        onClick={copy}
      >
        <Icon name="copy" size={20} />
      </button>
    </li>
  )
}

/** A panel beside the page, not over it: Escape, its button, or going on with the keyboard closes it. */
export function MessagePanel({ onClose }: { onClose: (giveBackFocus: boolean) => void }) {
  const { t } = useTranslation()
  const { locale, site } = usePage()
  const title = useId()
  const place = useCorner('message-panel')
  const close = useRef<HTMLButtonElement>(null)
  const [panel, setPanel] = useState<HTMLDialogElement | null>(null)

  useEffect(() => {
    if (!panel) return undefined
    const leave = place(panel)
    close.current?.focus()
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') onClose(panel.contains(document.activeElement))
    }
    const onFocusOut = (event: FocusEvent): void => {
      const to = event.relatedTarget
      if (to instanceof Element && !panel.contains(to) && !to.closest('[data-shell="toast"]'))
        onClose(false)
    }
    document.addEventListener('keydown', onKey)
    panel.addEventListener('focusout', onFocusOut)
    return () => {
      document.removeEventListener('keydown', onKey)
      panel.removeEventListener('focusout', onFocusOut)
      leave?.()
    }
  }, [panel, place, onClose])

  return (
    <dialog
      ref={setPanel}
      open
      className={s['panel']}
      data-shell="message-panel"
      aria-labelledby={title}
    >
      <div className={s['head']}>
        <h2 id={title} className={s['title']}>
          {t('message.title')}
        </h2>
        <button
          ref={close}
          type="button"
          className={s['icon']}
          data-action="close"
          aria-label={t('close')}
          onClick={() => onClose(true)}
        >
          <Icon name="close" size={20} />
        </button>
      </div>
      <p className={s['text']}>{t('message.text')}</p>
      <MessageForm api={pageApi} />
      <ul>
        <Address label={t('message.general')} address={site.contact.email} />
        <Address label={t('message.support')} address={site.contact.support} />
        <Address label={t('message.abuse')} address={site.contact.abuse} />
      </ul>
      <a className={s['more']} href={href(locale, 'single', { html: 'contact' })}>
        {t('message.more')}
      </a>
    </dialog>
  )
}
