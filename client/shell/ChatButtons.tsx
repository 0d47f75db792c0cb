import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../components/Icon'
import s from './Corner.module.css'
import { chatInUse } from './in-use'
import { MessagePanel } from './MessagePanel'
import { panelOpen } from './panel-open'
import { useCorner } from './use-corner'
import { useStore } from '../platform/use-store'

const noChat = { subscribe: () => () => undefined, get: () => 'idle' as const }

/**
 * The floating button: it opens the configured chat, or the site's own panel where there is none. As in every chat, the button is away while
 * the panel or the widget is open.
 */
export function ChatButtons() {
  const { t } = useTranslation()
  const place = useCorner('chat-buttons')
  const button = useRef<HTMLButtonElement>(null)
  const open = useStore(panelOpen)
  const chat = useStore(chatInUse)
  const { subscribe, get } = chat?.state ?? noChat
  const chatState = useSyncExternalStore(subscribe, get)
  const write = (): void => {
    if (!chat) return panelOpen.set(true)
    void chat.open().then((opened) => opened === 'panel' && panelOpen.set(true))
  }
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
  if (chatState === 'open') return null
  return (
    <div ref={place} className={s['place']} data-shell="chat-buttons">
      <button
        ref={button}
        type="button"
        className={`${s['button']} ${s['filled']}`}
        aria-label={t('message.title')}
        aria-haspopup="dialog"
        onClick={write}
      >
        <Icon name="chat" />
      </button>
    </div>
  )
}
