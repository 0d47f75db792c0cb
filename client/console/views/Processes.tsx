import type { ProcessRow } from '../../../shared/console/system'
import { formatNumber } from '../count-text'
import { DataTable, type TableColumn } from '../components/DataTable'
import { Facts } from '../components/Facts'
import { Panel } from '../components/Panel'

type Figures = NonNullable<ProcessRow['figures']>

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`
const ratioOf = ({ hits, misses }: Pick<Figures, 'hits' | 'misses'>): string =>
  hits + misses === 0 ? 'no requests yet' : `${((100 * hits) / (hits + misses)).toFixed(1)} %`

/** A figure of servers; the content process has none. */
const figureColumn = (
  id: keyof Figures,
  title: string,
  format: (value: number, figures: Figures) => string = formatNumber,
): TableColumn<ProcessRow> => ({
  id,
  title,
  value: ({ figures }) => figures?.[id] ?? -1,
  cell: ({ figures }) => (figures ? format(figures[id], figures) : '–'),
})
const columns: ReadonlyArray<TableColumn<ProcessRow>> = [
  { id: 'process', title: 'Process', value: (row) => row.process },
  { id: 'role', title: 'Role', value: (row) => row.role },
  { id: 'version', title: 'Node', value: (row) => row.version },
  figureColumn('upSeconds', 'Up (s)', (value) => formatNumber(Math.round(value))),
  figureColumn('memoryBytes', 'Memory', megabytes),
  figureColumn('cacheEntries', 'Cached pages'),
  figureColumn('cacheBytes', 'Cache', megabytes),
  figureColumn('hits', 'Hit ratio', (_hits, figures) => ratioOf(figures)),
  figureColumn('waiting', 'Waiting jobs'),
  figureColumn('failed', 'Failed requests'),
]

/** The page caches of all processes together. */
function cacheFacts(rows: readonly ProcessRow[]) {
  const sum = (name: keyof Figures): number =>
    rows.reduce((total, { figures }) => total + (figures?.[name] ?? 0), 0)
  return [
    { name: 'Entries', value: formatNumber(sum('cacheEntries')) },
    {
      name: 'Size',
      value: `${megabytes(sum('cacheBytes'))} of ${megabytes(sum('cacheMaxBytes'))}`,
    },
    { name: 'Hits', value: formatNumber(sum('hits')) },
    { name: 'Misses', value: formatNumber(sum('misses')) },
    { name: 'Hit ratio', value: ratioOf({ hits: sum('hits'), misses: sum('misses') }) },
  ]
}

/** The processes of this machine, one by one and their page caches together. */
export function Processes({ rows }: { rows: readonly ProcessRow[] }) {
  return (
    <>
      <Panel
        title="Processes of this machine"
        about="As they were at most 5 seconds ago. Waiting jobs are pictures, searches and statements. Failed requests were answered with 5xx since the process started."
      >
        <DataTable caption="Processes" columns={columns} rows={rows} />
      </Panel>
      <Panel title="Page cache of all processes">
        <Facts rows={cacheFacts(rows)} />
      </Panel>
    </>
  )
}
