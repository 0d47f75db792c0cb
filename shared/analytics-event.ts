import type { analytics } from './constants'

/** What the visitor's side reports (spec section 3, decisions 6). Four kinds, and no others. */
export type EventKind = keyof typeof analytics.operations

type EventCommon = {
  /** UUID; a resent event is stored once. */
  id: string
  /** ms since 1970. */
  ts: number
  url: string
  title: string
  referrer: string
  /** ms: of a view the time that loading took. */
  duration: number
  trigger: string
  addition: Readonly<Record<string, unknown>>
}
type ClickFields = {
  content: string
  key: string
  el_type: string
  el_class: string
  target_url: string
}
type ErrorFields = { error_type: number; message: string }

export type AnalyticsEvent = EventCommon &
  (
    | { kind: 'view' | 'expose'; op: number }
    | ({ kind: 'click'; op: number } & ClickFields)
    | ({ kind: 'error'; op: number } & ErrorFields)
  )
/** What an observer hands in: the rest is the same for all and is added when the event is emitted. */
export type EventDraft =
  | {
      kind: 'view'
      trigger: string
      duration?: number
      addition?: Readonly<Record<string, unknown>>
    }
  | { kind: 'expose'; trigger: string; addition?: Readonly<Record<string, unknown>> }
  | ({ kind: 'click'; trigger: string; addition?: Readonly<Record<string, unknown>> } & ClickFields)
  | ({ kind: 'error'; trigger: string; addition?: Readonly<Record<string, unknown>> } & ErrorFields)

/** What all events of a batch have in common (spec section 3, common analytics context). */
export type EventContext = {
  user_id: string
  user_info: Readonly<Record<string, string>>
  os: string
  ua: string
  device_id: string
  screen_height: number
  screen_width: number
  pixel_ratio: number
  app_version: string
  page_flag: string
  object_type: string
  locale: string
}
export type EventBatch = { list: readonly AnalyticsEvent[]; comm: EventContext }
