import { useSyncExternalStore } from 'react'
import type { Store } from './store'

/** The value of a store; the component renders again when it changes. */
export const useStore = <T>(store: Pick<Store<T>, 'get' | 'subscribe'>): T =>
  useSyncExternalStore(store.subscribe, store.get, store.get)
