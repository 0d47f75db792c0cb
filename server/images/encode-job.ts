import type { BitmapFormat } from '../../shared/images'

/** A job that the server sends to an encoder process. */
export type EncodeJob = {
  id: number
  bytes: Uint8Array
  /** Maximum width of the result in pixels; null keeps the width of the source. */
  width: number | null
  format: BitmapFormat
  quality: number
}

/** The encoder's reply: the bytes, or an error of the catalogue. `reason` is only logged. */
export type EncodeOutcome =
  | { id: number; bytes: Uint8Array }
  | { id: number; failure: 'notAnImage' | 'imageTooLarge'; reason?: string }

/** Part of every variant key. Increase it when the encoder's output changes. */
export const encoderVersion = 1
