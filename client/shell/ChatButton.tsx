import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../components/Icon'
import { useStore } from '../platform/use-store'
import s from './FloatingButton.module.css'
import { MessagePanel } from './MessagePanel'
import { panelOpen } from './panel-open'
import { chatStore } from './service-stores'
import { useFloating } from './use-floating'

const noChat = { subscribe: () => () => undefined, get: () => 'idle' as const }

/**
 * Opens the configured chat, or the site's message panel where none is configured. The button is
 * hidden while the panel or the chat widget is open.
 */
export function ChatButton() {
  const { t } = useTranslation()
  const floatingRef = useFloating('chat-buttons')
  const buttonRef = useRef<HTMLButtonElement>(null)
  const isPanelOpen = useStore(panelOpen)
  const chat = useStore(chatStore)
  const { subscribe, get } = chat?.state ?? noChat
  const chatState = useSyncExternalStore(subscribe, get)
  const openChat = (): void => {
    if (!chat) return panelOpen.set(true)
    void chat.open().then((opened) => opened === 'panel' && panelOpen.set(true))
  }
  const restoresFocus = useRef(false)
  const closePanel = useCallback((restoreFocus: boolean) => {
    restoresFocus.current = restoreFocus
    panelOpen.set(false)
  }, [])
  useEffect(() => {
    if (!isPanelOpen && restoresFocus.current) buttonRef.current?.focus()
    restoresFocus.current = false
  }, [isPanelOpen])
  if (isPanelOpen) return <MessagePanel onClose={closePanel} />
  if (chatState === 'open') return null
  return (
    <div ref={floatingRef} className={s['container']} data-shell="chat-buttons">
      <button
        ref={buttonRef}
        type="button"
        className={`${s['button']} ${s['filled']}`}
        aria-label={t('message.title')}
        aria-haspopup="dialog"
        onClick={openChat}
      >
        <Icon name="chat" />
      </button>
    </div>
  )
}
