import { useMemo } from 'react'
import type { Overview } from '../../../shared/console/overview'
import { DataTable, type TableColumn } from '../components/DataTable'
import { Panel } from '../components/Panel'
import { TimeChart, type ChartLine } from '../components/TimeChart'

type Point = { start: number; views: number; visitors: number; viewsBefore: number }

const hourMs = 60 * 60 * 1000
const pointName = (start: number, isHourly: boolean): string =>
  new Date(start)
    .toISOString()
    .slice(0, isHourly ? 16 : 10)
    .replace('T', ' ')

/** Views and visitors over time, as lines and as a table. */
export function VisitorChart({ data: { series } }: { data: Overview }) {
  const lines = useMemo(
    (): ChartLine[] => [
      { label: 'Views', values: series.views, color: '--blue' },
      { label: 'Visitors', values: series.visitors, color: '--violet' },
      {
        label: 'Views before',
        values: series.viewsBefore,
        color: '--line-strong',
        isDashed: true,
      },
    ],
    [series],
  )
  const [first = 0, second = first] = series.starts
  const isHourly = second - first === hourMs
  const points = useMemo(
    () =>
      series.starts.map((start, index): Point => ({
        start,
        views: series.views[index] ?? 0,
        visitors: series.visitors[index] ?? 0,
        viewsBefore: series.viewsBefore[index] ?? 0,
      })),
    [series],
  )
  const columns = useMemo(
    (): Array<TableColumn<Point>> => [
      {
        id: 'start',
        title: isHourly ? 'Hour (UTC)' : 'Day',
        value: ({ start }) => pointName(start, isHourly),
      },
      { id: 'views', title: 'Views', value: ({ views }) => views },
      { id: 'visitors', title: 'Visitors', value: ({ visitors }) => visitors },
      { id: 'before', title: 'Views before', value: ({ viewsBefore }) => viewsBefore },
    ],
    [isHourly],
  )
  return (
    <Panel title="Views and visitors">
      <TimeChart
        label="Views and visitors over time; the table below has the numbers"
        starts={series.starts}
        lines={lines}
      />
      <details>
        <summary>Numbers</summary>
        <DataTable caption="Views and visitors" columns={columns} rows={points} />
      </details>
    </Panel>
  )
}
