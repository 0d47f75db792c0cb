import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import s from './TimeChart.module.css'

export type ChartLine = {
  label: string
  values: readonly number[]
  /** A color of `client/styles/tokens.css`. */
  color: '--blue' | '--violet' | '--line-strong'
  isDashed?: boolean
}

const heightPx = 260
const colorOf = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim()

function optionsFor(lines: readonly ChartLine[], width: number): uPlot.Options {
  const axis: uPlot.Axis = {
    stroke: colorOf('--muted'),
    grid: { stroke: colorOf('--line'), width: 1 },
    ticks: { stroke: colorOf('--line'), width: 1 },
  }
  return {
    width,
    height: heightPx,
    // Points are hours or days of UTC.
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    scales: { y: { range: (_chart, _min, max) => [0, Math.max(1, max * 1.05)] } },
    axes: [axis, { ...axis, size: 60 }],
    series: [
      {},
      ...lines.map(({ label, color, isDashed }): uPlot.Series => ({
        label,
        stroke: colorOf(color),
        width: 2,
        ...(isDashed ? { dash: [6, 4] } : {}),
      })),
    ],
  }
}

/** Lines over time (starts in ms). The numbers themselves are in a table beside it. */
export function TimeChart({
  label,
  starts,
  lines,
}: {
  label: string
  starts: readonly number[]
  lines: readonly ChartLine[]
}) {
  const container = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = container.current
    if (!element) return undefined
    let chart: uPlot | null = null
    const draw = (): void => {
      chart?.destroy()
      const data = [starts.map((start) => start / 1000), ...lines.map(({ values }) => [...values])]
      // Cast: uPlot types its data as a tuple whose first part is the time.
      chart = new uPlot(optionsFor(lines, element.clientWidth), data as uPlot.AlignedData, element)
    }
    draw()
    const resized = new ResizeObserver(() =>
      chart?.setSize({ width: element.clientWidth, height: heightPx }),
    )
    resized.observe(element)
    // The colors are drawn, so another theme needs another drawing.
    const themed = new MutationObserver(draw)
    themed.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    const system = window.matchMedia('(prefers-color-scheme: dark)')
    system.addEventListener('change', draw)
    return () => {
      resized.disconnect()
      themed.disconnect()
      system.removeEventListener('change', draw)
      chart?.destroy()
    }
  }, [starts, lines])
  return <div ref={container} className={s['chart']} role="img" aria-label={label} />
}
