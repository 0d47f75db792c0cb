import { useSyncExternalStore } from 'react'
import type { Store } from './store'

/** The present value of a store of the visitor's side, and its changes. */
export const useStore = <T>(store: Pick<Store<T>, 'get' | 'subscribe'>): T =>
  useSyncExternalStore(store.subscribe, store.get, store.get)
