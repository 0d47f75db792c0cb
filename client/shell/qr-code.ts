/** QR codes of short texts (ISO/IEC 18004): byte mode, correction level L, versions 1 to 5, which have one block each. */

/** By version: data and correction bytes, and where the alignment pattern lies (version 1 has none). */
const versions = [
  { data: 19, correction: 7, alignment: 0 },
  { data: 34, correction: 10, alignment: 18 },
  { data: 55, correction: 15, alignment: 22 },
  { data: 80, correction: 20, alignment: 26 },
  { data: 108, correction: 26, alignment: 30 },
] as const

/** Level L with mask 0, already with its BCH remainder. Readers take any mask: choosing the prettiest is not worth its code. */
const format = 0b111011111000100

const power = new Uint8Array(255)
const log = new Uint8Array(256)
for (
  let exponent = 0, value = 1;
  exponent < 255;
  exponent += 1, value = value & 0x80 ? (value << 1) ^ 0x11d : value << 1
) {
  power[exponent] = value
  log[value] = exponent
}
const times = (a: number, b: number): number =>
  a && b ? (power[((log[a] ?? 0) + (log[b] ?? 0)) % 255] ?? 0) : 0

/** Reed-Solomon correction bytes over GF(256). */
function correctionOf(data: readonly number[], count: number): number[] {
  let generator = [1]
  for (let root = 0; root < count; root += 1) {
    const next = new Array<number>(generator.length + 1).fill(0)
    generator.forEach((factor, at) => {
      next[at] = (next[at] ?? 0) ^ factor
      next[at + 1] = (next[at + 1] ?? 0) ^ times(factor, power[root] ?? 0)
    })
    generator = next
  }
  const rest = [...data, ...new Array<number>(count).fill(0)]
  data.forEach((_, at) => {
    const lead = rest[at] ?? 0
    generator.forEach(
      (factor, offset) => (rest[at + offset] = (rest[at + offset] ?? 0) ^ times(factor, lead)),
    )
  })
  return rest.slice(data.length)
}

/** Mode, length, text, end, padding: as bytes. */
function dataBytes(text: Uint8Array, capacity: number): number[] {
  const half = [
    0b0100,
    text.length >> 4,
    text.length & 15,
    ...[...text].flatMap((byte) => [byte >> 4, byte & 15]),
    0,
  ]
  const bytes: number[] = []
  for (let at = 0; at < half.length; at += 2)
    bytes.push(((half[at] ?? 0) << 4) | (half[at + 1] ?? 0))
  for (let pad = 0xec; bytes.length < capacity; pad ^= 0xec ^ 0x11) bytes.push(pad)
  return bytes
}

/** Rows of dark (true) and light squares without the quiet zone; null when the text is longer than 106 bytes. */
export function qrCode(text: string): boolean[][] | null {
  const bytes = new TextEncoder().encode(text)
  const index = versions.findIndex(({ data }) => bytes.length + 2 <= data)
  const version = versions[index]
  if (!version) return null
  const size = 21 + 4 * index
  const cells: Array<Array<boolean | null>> = Array.from({ length: size }, () =>
    new Array<boolean | null>(size).fill(null),
  )
  const set = (row: number, column: number, dark: boolean): void => {
    const line = cells[row]
    if (line && column >= 0 && column < size) line[column] = dark
  }
  /** Squares within squares: the finder (radius 4, its light rim included) and the alignment pattern (radius 2). */
  const rings = (row: number, column: number, radius: number, light: readonly number[]): void => {
    for (let y = -radius; y <= radius; y += 1)
      for (let x = -radius; x <= radius; x += 1)
        set(row + y, column + x, !light.includes(Math.max(Math.abs(x), Math.abs(y))))
  }
  for (let at = 0; at < size; at += 1) {
    set(6, at, at % 2 === 0)
    set(at, 6, at % 2 === 0)
  }
  for (const [row, column] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ] as const)
    rings(row, column, 4, [2, 4])
  if (version.alignment) rings(version.alignment, version.alignment, 2, [1])
  for (let bit = 0; bit < 15; bit += 1) {
    const dark = ((format >> bit) & 1) === 1
    set(bit < 6 ? bit : bit < 8 ? bit + 1 : size - 15 + bit, 8, dark)
    set(8, bit < 8 ? size - 1 - bit : bit === 8 ? 7 : 14 - bit, dark)
  }
  set(size - 8, 8, true)

  const data = dataBytes(bytes, version.data)
  const stream = [...data, ...correctionOf(data, version.correction)]
  let bit = 0
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5
    const upwards = ((right + 1) & 2) === 0
    for (let step = 0; step < size; step += 1)
      for (const column of [right, right - 1]) {
        const row = upwards ? size - 1 - step : step
        if (cells[row]?.[column] !== null) continue
        const dark = (((stream[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1
        set(row, column, dark !== ((row + column) % 2 === 0))
        bit += 1
      }
  }
  return cells.map((row) => row.map(Boolean))
}

/** The code as the path of an SVG whose unit is one square, with `margin` squares around. */
export const qrPath = (rows: readonly boolean[][], margin: number): string =>
  rows
    .flatMap((row, y) =>
      row.flatMap((dark, x) => (dark ? [`M${x + margin} ${y + margin}h1v1h-1z`] : [])),
    )
    .join('')
