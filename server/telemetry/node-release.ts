/**
 * The release lines of Node that the site runs on, with the day on which support for each ends.
 * Source: the schedule of the Node.js release working group, read in November 2026.
 */
const supportEndDays: Readonly<Record<string, string>> = {
  22: '2027-04-30',
  24: '2028-04-30',
  26: '2029-04-30',
}

export const supportedNodeLines = Object.keys(supportEndDays)

/**
 * End of support (ms since 1970) for a version such as `v24.21.0`; null for a release line that the
 * site does not run on.
 */
export function supportEndTime(version: string): number | null {
  const day = supportEndDays[version.replace(/^v/, '').split('.')[0] ?? '']
  return day === undefined ? null : Date.parse(`${day}T23:59:59Z`)
}
