import { useCallback, useId, useRef } from 'react'
import { href } from '../../shared/routes/href'
import { Icon } from '../components/Icon'
import { isForInputMethod } from '../platform/is-for-input-method'
import { pageApi } from '../platform/page-api'
import { usePage } from '../view-context'
import { MessageForm } from './MessageForm'
import s from './MessagePanel.module.css'
import { showAlert, showToast } from './toasts'
import { useFloating } from './use-floating'
import { useTexts } from '../use-texts'

/** A mailbox; nothing where the operator has not set it. */
function ContactAddress({ label, address }: { label: string; address: string }) {
  const t = useTexts('shell')
  if (address === '') return null
  const copy = async (): Promise<void> => {
    try {
      // On a page served over plain http there is no `clipboard`, and this throws.
      await navigator.clipboard.writeText(address)
      showToast(t('message.copied'))
    } catch {
      showAlert(t('message.notCopied'))
    }
  }
  return (
    <li className={s['row']}>
      <span className={s['label']}>{label}</span>
      <a className={s['address']} data-track="contact-mail" href={`mailto:${address}`}>
        {address}
      </a>
      <button
        type="button"
        className={s['icon']}
        data-action="copy"
        data-track="contact-copy"
        aria-label={t('message.copy', { address })}
        onClick={() => void copy()}
      >
        <Icon name="copy" size={20} />
      </button>
    </li>
  )
}

type OnClose = (restoreFocus: boolean) => void

/**
 * Whether Escape discards a candidate of an input method, or closes what is above the panel: a
 * menu, a tooltip or a modal dialog.
 */
const isMeantForOthers = (event: KeyboardEvent, panel: HTMLElement): boolean =>
  isForInputMethod(event) ||
  event.defaultPrevented ||
  [...document.querySelectorAll('dialog[open]')].some((dialog) => dialog !== panel)

/**
 * Closes the panel on Escape, and when Tab moves the focus to the page. A click on the page moves
 * the focus too, and so does a navigation; the panel stays open then. Returns the function to stop.
 */
function closeFromKeyboard(panel: HTMLElement, onClose: OnClose): () => void {
  let isTabDown = false
  const onKeyDown = (event: KeyboardEvent): void => {
    isTabDown = event.key === 'Tab'
    if (event.key === 'Escape' && !isMeantForOthers(event, panel))
      onClose(panel.contains(document.activeElement))
  }
  const onKeyUp = (): void => {
    isTabDown = false
  }
  const onFocusOut = (event: FocusEvent): void => {
    const target = event.relatedTarget
    if (
      isTabDown &&
      target instanceof Element &&
      !panel.contains(target) &&
      !target.closest('[data-shell="toast"]')
    )
      onClose(false)
  }
  // On `window`, because the listeners of menus and tooltips on `document` come first.
  window.addEventListener('keydown', onKeyDown)
  document.addEventListener('keyup', onKeyUp)
  panel.addEventListener('focusout', onFocusOut)
  return () => {
    window.removeEventListener('keydown', onKeyDown)
    document.removeEventListener('keyup', onKeyUp)
    panel.removeEventListener('focusout', onFocusOut)
  }
}

/** A panel beside the page, not modal: the visitor can go on reading while it is open. */
export function MessagePanel({ onClose }: { onClose: OnClose }) {
  const t = useTexts('shell')
  const { locale, site } = usePage()
  const titleId = useId()
  const floatingRef = useFloating('message-panel')
  const closeButton = useRef<HTMLButtonElement>(null)
  const panelRef = useCallback(
    (panel: HTMLDialogElement | null) => {
      if (!panel) return undefined
      const removeFromLayout = floatingRef(panel)
      closeButton.current?.focus()
      const stopClosing = closeFromKeyboard(panel, onClose)
      return () => {
        stopClosing()
        removeFromLayout?.()
      }
    },
    [floatingRef, onClose],
  )
  return (
    <dialog
      ref={panelRef}
      open
      className={s['panel']}
      data-shell="message-panel"
      aria-labelledby={titleId}
    >
      <div className={s['head']}>
        <h2 id={titleId} className={s['title']}>
          {t('message.title')}
        </h2>
        <button
          ref={closeButton}
          type="button"
          className={s['icon']}
          data-action="close"
          data-track="contact-close"
          aria-label={t('close')}
          onClick={() => onClose(true)}
        >
          <Icon name="close" size={20} />
        </button>
      </div>
      <p className={s['text']}>{t('message.text')}</p>
      <MessageForm api={pageApi} />
      <ul>
        <ContactAddress label={t('message.general')} address={site.contact.email} />
        <ContactAddress label={t('message.support')} address={site.contact.support} />
        <ContactAddress label={t('message.abuse')} address={site.contact.abuse} />
      </ul>
      <a
        className={s['more']}
        data-track="contact-page"
        href={href(locale, 'single', { html: 'contact' })}
      >
        {t('message.more')}
      </a>
    </dialog>
  )
}
