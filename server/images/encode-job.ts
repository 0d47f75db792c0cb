import type { BitmapFormat } from '../../shared/images'

/** What a server asks of an encoder process. `width` is the most that the result may be wide (px). */
export type EncodeJob = {
  id: number
  bytes: Uint8Array
  width: number | null
  format: BitmapFormat
  quality: number
}
/** Its answer: the bytes, or the row of the catalogue; `reason` is for the log alone. */
export type EncodeOutcome =
  | { id: number; bytes: Uint8Array }
  | { id: number; failure: 'notAnImage' | 'imageTooLarge'; reason?: string }

/** Enters every key: a change of it makes all results anew. */
export const encoderVersion = 1
