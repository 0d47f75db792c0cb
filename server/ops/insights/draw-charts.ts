import { html, type Html } from '../../pages/render/html-template'
import type { Day } from './make-insights'

const plot = { width: 960, height: 260, left: 52, right: 8, top: 12, bottom: 28 } as const
const inner = {
  width: plot.width - plot.left - plot.right,
  height: plot.height - plot.top - plot.bottom,
} as const
/** Days named below the chart: more would run into one another. */
const namedDays = 8

const number = new Intl.NumberFormat('en')
const round = (value: number): number => Math.round(value * 10) / 10

/** Lines of an axis that holds a count: as many steps of 1, 2 or 5 with zeros as are needed, at most five; the last is not below the count. */
export function axisLines(most: number): number[] {
  for (let power = 1; ; power *= 10) {
    for (const step of [power, 2 * power, 5 * power]) {
      const steps = Math.max(1, Math.ceil(most / step))
      if (steps <= 5) return Array.from({ length: steps + 1 }, (_, index) => index * step)
    }
  }
}

/** `2026-03-01` as `1 Mar`. */
export const shortDay = (day: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  })

/** Views and visitors by day, as columns: a visitor views at least one page, so the narrow column stands inside the wide one. The numbers are in the table of days. */
export function dayChart(days: readonly Day[]): Html {
  const axis = axisLines(Math.max(0, ...days.map(({ views }) => views)))
  const top = axis.at(-1) ?? 1
  const step = inner.width / days.length
  const y = (count: number): number => round(plot.top + inner.height * (1 - count / top))
  const column = (
    kind: 'views' | 'visitors',
    count: number,
    index: number,
    part: number,
  ): Html | null =>
    count > 0
      ? html`<rect
          class="${kind}"
          x="${round(plot.left + step * (index + (1 - part) / 2))}"
          y="${y(count)}"
          width="${round(step * part)}"
          height="${round(inner.height * (count / top))}"
          rx="${step * part > 6 ? 2 : 0}"
        />`
      : null
  const every = Math.ceil(days.length / namedDays)
  const lines = axis.map(
    (count) =>
      html`<path class="grid" d="M${plot.left} ${y(count)}H${plot.width - plot.right}" /><text
          x="${plot.left - 8}"
          y="${y(count) + 4}"
          text-anchor="end"
          >${number.format(count)}</text
        >`,
  )
  const columns = days.map(
    ({ day, views, visitors }, index) =>
      html`<g
        ><title>
          ${shortDay(day)}: ${number.format(views)} views, ${number.format(visitors)} visitors</title
        ><rect
          class="hover"
          x="${round(plot.left + step * index)}"
          y="${plot.top}"
          width="${round(step)}"
          height="${inner.height}"
        />${column('views', views, index, 0.72)}${column('visitors', visitors, index, 0.36)}</g
      >`,
  )
  // Counted from the last day, which is the one that is looked for.
  const names = days.map(({ day }, index) =>
    (days.length - 1 - index) % every === 0
      ? html`<text
          x="${round(plot.left + step * (index + 0.5))}"
          y="${plot.height - 8}"
          text-anchor="middle"
          >${shortDay(day)}</text
        >`
      : html``,
  )
  return html`<svg
    class="chart"
    viewBox="0 0 ${plot.width} ${plot.height}"
    role="img"
    aria-label="Views and visitors by day; the numbers stand in the table of days"
  >
    ${lines}${columns}${names}
  </svg>`
}

/** The course of one number, without axis: it goes with the sum beside it. */
export function sparkLine(counts: readonly number[]): Html {
  const most = Math.max(1, ...counts)
  const x = (index: number): number =>
    round(counts.length > 1 ? (index / (counts.length - 1)) * 118 + 1 : 60)
  const points = counts.map((count, index) => `${x(index)},${round(27 - (count / most) * 25)}`)
  return html`<svg class="spark" viewBox="0 0 120 28" preserveAspectRatio="none" aria-hidden="true">
    <polygon points="1,28 ${points.join(' ')} 119,28" />
    <polyline points="${points.join(' ')}" />
  </svg>`
}

/** A bar as long as a number is of the largest. */
export const barOf = (count: number, most: number): Html =>
  html`<svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
    <rect class="track" width="100" height="6" rx="1" />
    <rect width="${most > 0 ? round((count / most) * 100) : 0}" height="6" rx="1" />
  </svg>`
