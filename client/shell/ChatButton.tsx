import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import { Icon } from '../components/Icon'
import type { ChatState } from '../chat/chat'
import { useStore } from '../platform/use-store'
import { usePage } from '../view-context'
import s from './FloatingButton.module.css'
import { MessagePanel } from './MessagePanel'
import { panelOpen } from './panel-open'
import { chatStore } from './service-stores'
import { useFloating } from './use-floating'
import { useTexts } from '../use-texts'

const noChange = (): (() => void) => () => undefined

/**
 * Opens the configured chat, or the site's message panel where there is none. The button is hidden
 * until the chat reports ready, while it or the panel is open, and beside a chat's own button.
 */
export function ChatButton() {
  const t = useTexts('shell')
  const floatingRef = useFloating('chat-buttons')
  const buttonRef = useRef<HTMLButtonElement>(null)
  const isPanelOpen = useStore(panelOpen)
  const chat = useStore(chatStore)
  const { chatExpected } = usePage().site
  // What the server rendered, and what holds until the deferred services have started.
  const firstState = (): ChatState => (chatExpected ? 'loading' : 'none')
  const chatState = useSyncExternalStore(
    chat?.state.subscribe ?? noChange,
    chat?.state.get ?? firstState,
    firstState,
  )
  const openChat = (): void => {
    if (chat?.open() !== 'chat') panelOpen.set(true)
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
  if (chatState !== 'ready' && chatState !== 'none') return null
  return (
    <div ref={floatingRef} className={s['container']} data-shell="chat-buttons">
      <button
        ref={buttonRef}
        type="button"
        className={`${s['button']} ${s['filled']}`}
        aria-label={t('message.title')}
        data-track="contact-chat"
        aria-haspopup="dialog"
        onClick={openChat}
      >
        <Icon name="chat" />
      </button>
    </div>
  )
}
