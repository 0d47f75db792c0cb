import { createStore } from '../visitor/store'

/** Whether the message panel is open: banner and scroll-to-top make room for it meanwhile. */
export const panelOpen = createStore(false)
