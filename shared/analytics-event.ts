type EventCommon = {
  /** UUID; the server stores an event that is sent twice only once. */
  id: string
  /** ms since 1970. */
  ts: number
  url: string
  title: string
  referrer: string
  /** ms; of a view the time that loading took. */
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
/** An event as an observer reports it; the common fields are added when it is emitted. */
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

/** What all events of a batch have in common. */
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
