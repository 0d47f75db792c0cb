/** Release lines of Node that the site runs on, and the day on which support for each ends (schedule of the Node.js release working group, read in November 2026). */
const supportEnds: Readonly<Record<string, string>> = {
  22: '2027-04-30',
  24: '2028-04-30',
  26: '2029-04-30',
}

export const nodeLines = Object.keys(supportEnds)

/** End of support (ms since 1970) for a version such as `v24.21.0`; null for a line that the site does not run on. */
export function supportEndOf(version: string): number | null {
  const day = supportEnds[version.replace(/^v/, '').split('.')[0] ?? '']
  return day === undefined ? null : Date.parse(`${day}T23:59:59Z`)
}
