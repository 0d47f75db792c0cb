import { encode } from 'uqr'

/** Readers need four light modules around the code (ISO/IEC 18004). */
const quietZone = 4

/**
 * QR code of a text as the path of an SVG: `path` fills the dark modules, `size` is the width and
 * height of the picture in modules, quiet zone included.
 */
export function drawQrCode(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { border: quietZone })
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('')
  return { size, path }
}
