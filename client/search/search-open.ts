import { createStore } from '../platform/store'

/** Whether the search is open: header button, keys and the 404 page open it. */
export const searchOpen = createStore(false)
