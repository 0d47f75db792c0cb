import type { ExposeKey, TrackKey } from '../../shared/tracking-keys'

declare module 'react' {
  /** The attributes of all elements extend these, which unlike those have no type parameter. */
  interface AriaAttributes {
    /** The element's click is reported with this key. */
    'data-track'?: TrackKey | undefined
    /** The element is reported with this key when half of it is visible. */
    'data-expose'?: ExposeKey | undefined
  }
}
