import { menuPages } from '../shared/menu-pages'
import { trackingAreas } from '../shared/tracking-keys'
import { markdownTable } from './markdown-table'

const head = `# Tracking keys

Which element a click or an exposure was reported for. Generated from
[\`shared/tracking-keys.ts\`](../shared/tracking-keys.ts) by \`npm run settings\`.

- A key never changes its meaning and is the same in all languages. The page is in the event's
  \`url\`.
- A click has the key in \`key\`, an exposure in \`addition.key\`. In the page they are \`data-track\` and
  \`data-expose\`.
- \`addition.position\` counts from 1 where a page has several elements with one key, such as cards,
  questions and files.
- An exposure is reported once for each page view, when half of the element is visible. An element
  that is taller than two windows counts when it fills half of the window.
- Clicks that download a file or leave for the application, and sign-ins, are sent at once. Other
  events are sent at 20, or 10 s after the last one.
- Links in texts that authors wrote have no key: \`key\` is empty, \`target_url\` is the link.
`

const reportedAs = { click: 'click', expose: 'exposure', both: 'click, exposure' } as const
const code = (text: string): string => `\`${text}\``

/** `docs/tracking-keys.md`: the list of keys for the owner. */
export function trackingKeysDocument(): string {
  const areas = Object.entries(trackingAreas).map(([area, { readers, keys }]) => {
    const rows = Object.entries(keys).map(([key, { what, reported }]) => [
      code(key),
      reportedAs[reported],
      what,
    ])
    const table = markdownTable([['key', 'reported', 'what it is'], ...rows])
    return `\n## ${area}\n\nFor ${readers}.\n\n${table}\n`
  })
  const menus = Object.entries(menuPages).map(
    ([place, names]) =>
      `\n### ${place}-{page}\n\n${names.map((name) => `- ${code(`${place}-${name}`)}\n`).join('')}`,
  )
  return `${head}${areas.join('')}
## Menus

Links in the menus of the header and in the columns of the footer have a key for each page, which is
derived from the route table.
${menus.join('')}`
}
