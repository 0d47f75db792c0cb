import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../components/Icon'
import type { Chat } from '../visitor/chat'
import s from './Corner.module.css'
import { chatInUse } from './in-use'
import { MessagePanel } from './MessagePanel'
import { panelOpen } from './panel-open'
import { useCorner } from './use-corner'
import { useStore } from './use-store'

const noChat = { subscribe: () => () => undefined, get: () => 'idle' as const }

/** Longest that a click waits for the visitor's side to start (ms); then the site's own panel opens. */
const patience = 4000

/** The chat, also for a click that comes before the visitor's side has started; null when it does not start in time. */
function whenChat(): Promise<Chat | null> {
  return new Promise((resolve) => {
    const settle = (): void => {
      stop()
      window.clearTimeout(timer)
      resolve(chatInUse.get())
    }
    const stop = chatInUse.subscribe(settle)
    const timer = window.setTimeout(settle, patience)
    if (chatInUse.get()) settle()
  })
}

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
  const write = async (): Promise<void> => {
    const ready = await whenChat()
    if ((ready ? await ready.open() : 'panel') === 'panel') panelOpen.set(true)
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
      <button ref={button} type="button" className={`${s['button']} ${s['filled']}`} aria-label={t('message.title')} aria-haspopup="dialog" onClick={() => void write()}>
        <Icon name="chat" />
      </button>
    </div>
  )
}
