import { useCallback, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../components/Icon'
import s from './Corner.module.css'
import { MessagePanel } from './MessagePanel'
import { panelOpen } from './panel-open'
import { useCorner } from './use-corner'
import { useStore } from './use-store'

/** The floating button and the panel that it opens; as in every chat, the button is away while the panel is open. */
export function ChatButtons() {
  const { t } = useTranslation()
  const place = useCorner('chat-buttons')
  const button = useRef<HTMLButtonElement>(null)
  const open = useStore(panelOpen)
  const giveBackFocus = useRef(false)
  const close = useCallback((withFocus: boolean) => {
    giveBackFocus.current = withFocus
    panelOpen.set(false)
  }, [])
  useEffect(() => {
    if (!open && giveBackFocus.current) button.current?.focus()
    giveBackFocus.current = false
  }, [open])
  if (open) return <MessagePanel onClose={close} />
  return (
    <div ref={place} className={s['place']} data-shell="chat-buttons">
      <button ref={button} type="button" className={`${s['button']} ${s['filled']}`} aria-label={t('message.title')} aria-haspopup="dialog" onClick={() => panelOpen.set(true)}>
        <Icon name="chat" />
      </button>
    </div>
  )
}
