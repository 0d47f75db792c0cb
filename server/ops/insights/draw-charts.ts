import { html, type Html } from '../../pages/render/html-template'
import type { Day } from './make-insights'

/** Size and margins of the day chart, in SVG units. */
const chart = { width: 960, height: 260, left: 52, right: 8, top: 12, bottom: 28 } as const
const plot = {
  width: chart.width - chart.left - chart.right,
  height: chart.height - chart.top - chart.bottom,
} as const
/** More day labels would overlap. */
const maxDayLabels = 8
/**
 * Widths of the columns as a share of a day. The visitors column is drawn inside the views column.
 */
const columnShare = { views: 0.72, visitors: 0.36 } as const

const number = new Intl.NumberFormat('en')
const round = (value: number): number => Math.round(value * 10) / 10

/**
 * Ticks of an axis from 0 to at least `max`: at most five steps, each 1, 2 or 5 times a power of
 * ten.
 */
export function axisTicks(max: number): number[] {
  for (let power = 1; ; power *= 10) {
    for (const step of [power, 2 * power, 5 * power]) {
      const steps = Math.max(1, Math.ceil(max / step))
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

/** The scale of a chart: `step` is the width of a day, `y` the height of a count. */
type Scale = { step: number; max: number; y: (count: number) => number }

function drawColumn(
  kind: 'views' | 'visitors',
  count: number,
  index: number,
  { step, max, y }: Scale,
): Html | null {
  if (count === 0) return null
  const width = step * columnShare[kind]
  return html`<rect
    class="${kind}"
    x="${round(chart.left + step * index + (step - width) / 2)}"
    y="${y(count)}"
    width="${round(width)}"
    height="${round(plot.height * (count / max))}"
    rx="${width > 6 ? 2 : 0}"
  />`
}

const drawTick = (count: number, { y }: Scale): Html =>
  html`<path class="grid" d="M${chart.left} ${y(count)}H${chart.width - chart.right}" /><text
      x="${chart.left - 8}"
      y="${y(count) + 4}"
      text-anchor="end"
      >${number.format(count)}</text
    >`

const drawDay = ({ day, views, visitors }: Day, index: number, scale: Scale): Html =>
  html`<g
    ><title>
      ${shortDay(day)}: ${number.format(views)} views, ${number.format(visitors)} visitors</title
    ><rect
      class="hover"
      x="${round(chart.left + scale.step * index)}"
      y="${chart.top}"
      width="${round(scale.step)}"
      height="${plot.height}"
    />${drawColumn('views', views, index, scale)}${drawColumn('visitors', visitors, index, scale)}</g
  >`

const drawDayLabel = (day: string, index: number, { step }: Scale): Html =>
  html`<text
    x="${round(chart.left + step * (index + 0.5))}"
    y="${chart.height - 8}"
    text-anchor="middle"
    >${shortDay(day)}</text
  >`

/** Views and visitors by day as columns. The numbers themselves are in the table of days. */
export function drawDayChart(days: readonly Day[]): Html {
  const ticks = axisTicks(Math.max(0, ...days.map(({ views }) => views)))
  const max = ticks.at(-1) ?? 1
  const scale: Scale = {
    step: plot.width / days.length,
    max,
    y: (count) => round(chart.top + plot.height * (1 - count / max)),
  }
  const daysPerLabel = Math.ceil(days.length / maxDayLabels)
  // Labels are placed from the last day backwards, so that the last day always has one.
  const hasLabel = (index: number): boolean => (days.length - 1 - index) % daysPerLabel === 0
  return html`<svg
    class="chart"
    viewBox="0 0 ${chart.width} ${chart.height}"
    role="img"
    aria-label="Views and visitors by day; the numbers are in the table of days"
  >
    ${ticks.map((count) => drawTick(count, scale))}${days.map((day, index) => drawDay(day, index, scale))}${days.map(({ day }, index) => (hasLabel(index) ? drawDayLabel(day, index, scale) : html``))}
  </svg>`
}

/** A line without axes that shows how a number changed by day. */
export function drawSparkline(counts: readonly number[]): Html {
  const max = Math.max(1, ...counts)
  const x = (index: number): number =>
    round(counts.length > 1 ? (index / (counts.length - 1)) * 118 + 1 : 60)
  const points = counts.map((count, index) => `${x(index)},${round(27 - (count / max) * 25)}`)
  return html`<svg class="spark" viewBox="0 0 120 28" preserveAspectRatio="none" aria-hidden="true">
    <polygon points="1,28 ${points.join(' ')} 119,28" />
    <polyline points="${points.join(' ')}" />
  </svg>`
}

/** A bar that shows a count as a share of the largest count. */
export const drawBar = (count: number, max: number): Html =>
  html`<svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
    <rect class="track" width="100" height="6" rx="1" />
    <rect width="${max > 0 ? round((count / max) * 100) : 0}" height="6" rx="1" />
  </svg>`
