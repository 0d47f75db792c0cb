import type { EventDraft } from '../../shared/analytics-event'
import type { TrackKey } from '../../shared/tracking-keys'

type Fields = { key: TrackKey; trigger: string; el_type: string; target_url?: string }

/** A click event that is reported by code, because no click on the page causes it. */
export const syntheticClick = (fields: Fields): EventDraft => ({
  kind: 'click',
  content: '',
  el_class: '',
  target_url: '',
  ...fields,
})
