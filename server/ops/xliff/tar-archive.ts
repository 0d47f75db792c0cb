const blockSize = 512
const octal = (value: number, length: number): string =>
  `${value.toString(8).padStart(length - 1, '0')}\0`
const field = (text: string, length: number): string => text.padEnd(length, '\0')

/** The header of a file (POSIX ustar). Names of content are shorter than its 100 bytes. */
function header(name: string, size: number): string {
  const before = field(name, 100) + octal(0o644, 8) + octal(0, 8) + octal(0, 8) + octal(size, 12)
  const after = `0${field('', 100)}ustar\0` + `00${field('', 247)}`
  const time = octal(0, 12)
  const sum = Buffer.from(`${before}${time}${' '.repeat(8)}${after}`).reduce(
    (total, byte) => total + byte,
    0,
  )
  return field(`${before}${time}${octal(sum, 7)} ${after}`, blockSize)
}

/** Files as a tar archive. Texts only, so that it fits into JSON. */
export function tarArchive(files: ReadonlyArray<{ path: string; text: string }>): string {
  const entries = files.map(({ path, text }) => {
    const size = Buffer.byteLength(text)
    return header(path, size) + text + '\0'.repeat((blockSize - (size % blockSize)) % blockSize)
  })
  return entries.join('') + '\0'.repeat(2 * blockSize)
}
