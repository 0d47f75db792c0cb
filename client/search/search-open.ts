import { createStore } from '../platform/store'

/** Whether the search dialog is open. The header button, the shortcuts and the 404 page open it. */
export const searchOpen = createStore(false)
