import {
  createColumnHelper,
  createSortedRowModel,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type ColumnDef,
  type ReactTable,
} from '@tanstack/react-table'
import { useMemo, type ReactNode } from 'react'
import { formatNumber } from '../count-text'
import s from './DataTable.module.css'

export type TableColumn<Row> = {
  id: string
  title: string
  /** Sorts the rows; numbers are aligned at their end. */
  value: (row: Row) => string | number
  /** What the cell shows, where it is not the value. */
  cell?: (row: Row) => ReactNode
}

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
})
const compare = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b))
const ariaSort = { asc: 'ascending', desc: 'descending' } as const

/** Dates, paths and ids are one word, which would otherwise break at its hyphens. */
const plainCell = (value: string | number): ReactNode => {
  if (typeof value === 'number') return formatNumber(value)
  return value === '' || /\s/.test(value) ? value : <div className={s['word']}>{value}</div>
}

/** The headings; each is a button that sorts by its column. */
function Headings<Row extends object>({
  table,
  isNumber,
}: {
  table: ReactTable<typeof features, Row>
  /** Of each column. */
  isNumber: readonly boolean[]
}) {
  return (
    <thead>
      {table.getHeaderGroups().map((group) => (
        <tr key={group.id}>
          {group.headers.map((header, index) => {
            const sorted = header.column.getIsSorted()
            return (
              <th
                key={header.id}
                scope="col"
                className={isNumber[index] ? s['number'] : undefined}
                aria-sort={sorted ? ariaSort[sorted] : undefined}
              >
                <button
                  type="button"
                  className={s['sort']}
                  onClick={header.column.getToggleSortingHandler()}
                >
                  <table.FlexRender header={header} />
                </button>
              </th>
            )
          })}
        </tr>
      ))}
    </thead>
  )
}

/** A table that sorts by a click on a heading. It scrolls sideways where it is too wide. */
export function DataTable<Row extends object>({
  caption,
  columns,
  rows,
  empty = 'Nothing to show.',
}: {
  /** For screen readers. */
  caption: string
  columns: ReadonlyArray<TableColumn<Row>>
  rows: readonly Row[]
  empty?: string
}) {
  const definitions = useMemo(() => {
    // Cast: the helper types a column by its value, the table by its rows.
    const helper = createColumnHelper<typeof features, Row>()
    return columns.map(
      ({ id, title, value }): ColumnDef<typeof features, Row> =>
        helper.accessor(value, {
          id,
          header: title,
          sortFn: (a, b) => compare(value(a.original), value(b.original)),
        }) as ColumnDef<typeof features, Row>,
    )
  }, [columns])
  const data = useMemo(() => [...rows], [rows])
  const table = useTable({ features, columns: definitions, data })
  if (rows.length === 0) return <p className={s['empty']}>{empty}</p>
  const isNumber = columns.map(
    ({ value }) => rows[0] !== undefined && typeof value(rows[0]) === 'number',
  )
  return (
    <div className={s['scroll']}>
      <table className={s['table']} aria-label={caption}>
        <Headings table={table} isNumber={isNumber} />
        <tbody>
          {table.getRowModel().rows.map((row) => (
            <tr key={row.id}>
              {columns.map(({ id, value, cell }, index) => (
                // Not the table's own renderer: it makes new elements when `columns` is a new list,
                // and a button that has opened a dialog would lose the focus.
                <td key={id} className={isNumber[index] ? s['number'] : undefined}>
                  {cell?.(row.original) ?? plainCell(value(row.original))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
