import { createStore } from '../platform/store'

/** Whether the message panel is open; most other floating elements are hidden meanwhile. */
export const panelOpen = createStore(false)
