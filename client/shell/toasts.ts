import { toast as times } from '../../shared/constants'
import { browserClock, type Clock } from '../platform/clock'
import { createStore, type Store } from '../platform/store'

/** `alert` interrupts a screen reader: for what failed. */
export type ToastKind = 'status' | 'alert'
export type Toast = { id: number; text: string; kind: ToastKind }
export type Toasts = {
  list: Pick<Store<readonly Toast[]>, 'get' | 'subscribe'>
  show: (text: string, kind?: ToastKind) => void
  hold: (id: number) => void
  release: (id: number) => void
  dismiss: (id: number) => void
}
/** More at once would climb over the page: the oldest goes. */
const atOnce = 3
type Run = { left: number; since: number; held: number; cancel: () => void }

/** Notices that go by themselves after 3.6 s, not counting the time under pointer or focus. */
export function createToasts(clock: Clock): Toasts {
  const list = createStore<readonly Toast[]>([])
  const runs = new Map<number, Run>()
  let last = 0

  const dismiss = (id: number): void => {
    runs.get(id)?.cancel()
    runs.delete(id)
    list.set(list.get().filter((toast) => toast.id !== id))
  }
  const run = (id: number, entry: Run): void => {
    entry.since = clock.now()
    entry.cancel = clock.after(entry.left, () => dismiss(id))
  }
  return {
    list,
    dismiss,
    show(text, kind = 'status') {
      const id = (last += 1)
      const entry: Run = { left: times.display, since: 0, held: 0, cancel: () => undefined }
      runs.set(id, entry)
      const [oldest] = list.get()
      if (oldest && list.get().length >= atOnce) dismiss(oldest.id)
      list.set([...list.get(), { id, text, kind }])
      run(id, entry)
    },
    hold(id) {
      const entry = runs.get(id)
      if (!entry) return
      entry.held += 1
      if (entry.held > 1) return
      entry.cancel()
      entry.left -= clock.now() - entry.since
    },
    release(id) {
      const entry = runs.get(id)
      if (!entry || entry.held === 0) return
      entry.held -= 1
      if (entry.held === 0) run(id, entry)
    },
  }
}

export const toasts = createToasts(browserClock)
/** Shows a notice for 3.6 s. */
export const showToast: Toasts['show'] = toasts.show
