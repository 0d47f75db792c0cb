import { useCallback, useRef, useState } from 'react'
import { listPages, pageCollections, pageStates, type PageRow } from '../../../shared/console/pages'
import { callConsole, queryOf } from '../call-console'
import { countText, formatNumber } from '../count-text'
import { Button, ButtonRow, DownloadLink } from '../components/Button'
import { FilterBar, FilterField } from '../components/FilterBar'
import { Notice } from '../components/Notice'
import { VirtualTable, type VirtualColumn } from '../components/VirtualTable'
import { localeOptions } from '../locale-options'
import { rateVital, type VitalName } from '../rate-vital'
import { setFilters, useFilters } from '../use-filters'
import { useRows } from '../use-rows'
import { PageDetails } from './PageDetails'
import s from './Pages.module.css'

const choices = (values: readonly string[]) => [
  { value: '', text: 'All' },
  ...values.map((value) => ({ value, text: value })),
]
const keyOf = ({ page, locale }: PageRow): string => `${page} ${locale}`
/** A single page has too few measurements, so the column says that they are those of its route. */
const vitalColumn = (name: VitalName): VirtualColumn<PageRow> => ({
  id: name,
  title: `Route ${name.toUpperCase()} (p75)`,
  isNumber: true,
  cell: ({ vitals }) => rateVital(name, vitals[name]),
})
const columnsFor = (onOpen: (row: PageRow) => void): ReadonlyArray<VirtualColumn<PageRow>> => [
  {
    id: 'page',
    title: 'Page',
    cell: (row) =>
      row.url === null ? (
        row.page
      ) : (
        <button type="button" className={s['open']} onClick={() => onOpen(row)}>
          {row.page}
        </button>
      ),
  },
  { id: 'locale', title: 'Language', cell: ({ locale }) => locale },
  { id: 'state', title: 'State', cell: ({ state }) => state },
  { id: 'why', title: 'Why', cell: ({ why }) => <span title={why}>{why}</span> },
  {
    id: 'index',
    title: 'Indexable',
    cell: ({ whyNotIndexable }) => (whyNotIndexable === '' ? 'yes' : `no: ${whyNotIndexable}`),
  },
  {
    id: 'words',
    title: 'Words',
    isNumber: true,
    cell: ({ words }) => (words === null ? '–' : formatNumber(words)),
  },
  { id: 'changed', title: 'Changed', cell: ({ changed }) => changed ?? '–' },
  { id: 'views', title: 'Views (30 d)', isNumber: true, cell: ({ views }) => formatNumber(views) },
  {
    id: 'clicks',
    title: 'Search clicks (30 d)',
    isNumber: true,
    cell: ({ searchClicks }) => formatNumber(searchClicks),
  },
  vitalColumn('lcp'),
  vitalColumn('inp'),
  vitalColumn('cls'),
]

const filterNames = ['collection', 'locale', 'state', 'search'] as const
type Filters = Record<(typeof filterNames)[number], string>

/** The filters, and the same rows as a file. */
function PageFilters({
  filters,
  query,
  onChange: change,
}: {
  filters: Filters
  query: string
  onChange: (changes: Partial<Filters>) => void
}) {
  return (
    <FilterBar label="Filter">
      <FilterField
        label="Collection"
        value={filters.collection}
        options={choices(pageCollections)}
        onChange={(collection) => change({ collection })}
      />
      <FilterField
        label="Language"
        value={filters.locale}
        options={localeOptions}
        onChange={(locale) => change({ locale })}
      />
      <FilterField
        label="State"
        value={filters.state}
        options={choices(pageStates)}
        onChange={(state) => change({ state })}
      />
      <FilterField
        label="Part of the id"
        type="search"
        value={filters.search}
        onChange={(search) => change({ search })}
      />
      <DownloadLink href={`/_ops/api/pages.csv${query}`}>Download as CSV</DownloadLink>
    </FilterBar>
  )
}

/** Every page in every language. */
export function Pages() {
  const [filters, change] = useFilters(filterNames)
  const [opened, setOpened] = useState<PageRow | null>(null)
  const query = queryOf(setFilters(filters))
  const read = useCallback(
    (after: string | null, signal: AbortSignal) => {
      const fields = Object.fromEntries(new URLSearchParams(query))
      return callConsole(listPages, { ...fields, ...(after ? { after } : {}) }, signal)
    },
    [query],
  )
  const { rows, hasMore, isLoading, error, more, retry } = useRows(query, read)
  const table = useRef<HTMLDivElement>(null)
  const tryAgain = (): void => {
    // The button goes away with the failure.
    table.current?.focus()
    retry()
  }
  return (
    <>
      <PageFilters filters={filters} query={query} onChange={change} />
      {error && (
        <>
          <Notice isFailure text={error} />
          <ButtonRow>
            <Button onClick={tryAgain}>Try again</Button>
          </ButtonRow>
        </>
      )}
      <Notice
        text={`${countText(rows.length, 'row')}${hasMore ? ', more while you scroll' : ''}${isLoading ? ' …' : '.'}`}
      />
      <VirtualTable
        key={query}
        scroll={table}
        caption="Pages"
        columns={columnsFor(setOpened)}
        rows={rows}
        keyOf={keyOf}
        onEnd={more}
      />
      {opened?.url && (
        <PageDetails
          title={`${opened.page} (${opened.locale})`}
          url={opened.url}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  )
}
