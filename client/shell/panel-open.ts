import { createStore } from '../platform/store'

/** Whether the message panel is open: the other parts make room for it meanwhile. */
export const panelOpen = createStore(false)
