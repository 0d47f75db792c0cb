import { toast as times } from '../../shared/constants'
import { browserClock, type Clock } from '../platform/clock'
import { createStore, type Store } from '../platform/store'

/** `alert` interrupts a screen reader: for failures. */
type ToastKind = 'status' | 'alert'
export type Toast = { id: number; text: string; kind: ToastKind }
type Toasts = {
  list: Pick<Store<readonly Toast[]>, 'get' | 'subscribe'>
  show: (text: string, kind?: ToastKind) => void
  /** Stops the countdown of a toast; each call needs one `resume`. */
  pause: (id: number) => void
  resume: (id: number) => void
  dismiss: (id: number) => void
}

/** More at once would cover the page, so the oldest is dismissed. */
const maxToasts = 3

type Countdown = {
  remainingMs: number
  startedAtMs: number
  /** Pointer and focus pause independently. */
  pauses: number
  cancel: () => void
}

/** Notices that disappear after 3.6 s, not counting the time under the pointer or with focus. */
export function createToasts(clock: Clock): Toasts {
  const list = createStore<readonly Toast[]>([])
  const countdowns = new Map<number, Countdown>()
  let lastId = 0

  const dismiss = (id: number): void => {
    countdowns.get(id)?.cancel()
    countdowns.delete(id)
    list.set(list.get().filter((toast) => toast.id !== id))
  }
  const start = (id: number, countdown: Countdown): void => {
    countdown.startedAtMs = clock.now()
    countdown.cancel = clock.after(countdown.remainingMs, () => dismiss(id))
  }
  return {
    list,
    dismiss,
    show(text, kind = 'status') {
      const id = (lastId += 1)
      const countdown: Countdown = {
        remainingMs: times.displayMs,
        startedAtMs: 0,
        pauses: 0,
        cancel: () => undefined,
      }
      countdowns.set(id, countdown)
      const [oldest] = list.get()
      if (oldest && list.get().length >= maxToasts) dismiss(oldest.id)
      list.set([...list.get(), { id, text, kind }])
      start(id, countdown)
    },
    pause(id) {
      const countdown = countdowns.get(id)
      if (!countdown) return
      countdown.pauses += 1
      if (countdown.pauses > 1) return
      countdown.cancel()
      countdown.remainingMs -= clock.now() - countdown.startedAtMs
    },
    resume(id) {
      const countdown = countdowns.get(id)
      if (!countdown || countdown.pauses === 0) return
      countdown.pauses -= 1
      if (countdown.pauses === 0) start(id, countdown)
    },
  }
}

export const toasts = createToasts(browserClock)
/** Shows a notice for 3.6 s. */
export const showToast: Toasts['show'] = toasts.show
/** Shows a failure; screen readers announce it at once. */
export const showAlert = (text: string): void => toasts.show(text, 'alert')
