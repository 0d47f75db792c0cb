import type { z } from 'zod'
import { dayMs } from '../../../shared/constants'
import {
  listSearches,
  type SearchClickRow,
  type SearchMissRow,
  type SearchRow,
} from '../../../shared/console/search'
import { isLocaleCode } from '../../../shared/i18n/locales'
import { utcDay } from '../../../shared/utc-day'
import { DataTable, type TableColumn } from '../components/DataTable'
import { FilterBar, FilterField } from '../components/FilterBar'
import { Notice } from '../components/Notice'
import { Panel } from '../components/Panel'
import { languageName } from '../display-names'
import { localeOptions } from '../locale-options'
import { useConsoleCall } from '../use-console-call'
import { useFilters } from '../use-filters'

type Counted = { locale: string; count: number }
const localeColumn: TableColumn<Counted> = {
  id: 'locale',
  title: 'Language',
  value: ({ locale }) => languageName(locale),
}
const countColumn = (title: string): TableColumn<Counted> => ({
  id: 'count',
  title,
  value: ({ count }) => count,
})
const searchColumns: ReadonlyArray<TableColumn<SearchRow>> = [
  { id: 'query', title: 'Words', value: (row) => row.query },
  localeColumn,
  countColumn('Searches'),
  { id: 'results', title: 'Results', value: (row) => row.results },
]
const clickColumns: ReadonlyArray<TableColumn<SearchClickRow>> = [
  { id: 'path', title: 'Page', value: (row) => row.path },
  localeColumn,
  countColumn('Clicks'),
]
const missColumns: ReadonlyArray<TableColumn<SearchMissRow>> = [
  { id: 'query', title: 'Words', value: (row) => row.query },
  localeColumn,
  countColumn('Searches'),
]

const defaultDays = '30'
const periods = ['7', defaultDays, '90', '365'].map((value) => ({ value, text: `${value} days` }))

type Searches = z.output<typeof listSearches.output>
/** What visitors search for, what they open, and what they find nothing for. */
function SearchTables({ data }: { data: Searches }) {
  return (
    <>
      <Panel
        title="Searches"
        about="What visitors search for, most frequent first. The words are lower case and hold nothing about the visitor."
      >
        <DataTable
          caption="Searches"
          columns={searchColumns}
          rows={data.searches}
          empty="Visitors searched for nothing."
        />
      </Panel>
      <Panel
        title="Opened results"
        about="The results that visitors opened, where measuring was allowed."
      >
        <DataTable
          caption="Opened results"
          columns={clickColumns}
          rows={data.clicks}
          empty="Visitors opened no result."
        />
      </Panel>
      <Panel
        title="Searches without a result"
        about="Pages that use these words, or seo_keywords in front matter, make them findable."
      >
        <DataTable
          caption="Searches without a result"
          columns={missColumns}
          rows={data.misses}
          empty="Every search had a result."
        />
      </Panel>
    </>
  )
}

/** The searches of a period and language. */
export function Search() {
  const [filters, change] = useFilters(['days', 'locale'])
  const isKnown = periods.some(({ value }) => value === filters.days)
  const days = isKnown ? filters.days : defaultDays
  const now = Date.now()
  const { data, error } = useConsoleCall(listSearches, {
    from: utcDay(now - Number(days) * dayMs),
    to: utcDay(now),
    ...(isLocaleCode(filters.locale) ? { locale: filters.locale } : {}),
  })
  return (
    <>
      <FilterBar label="Filter">
        <FilterField
          label="Period"
          value={days}
          options={periods}
          onChange={(value) => change({ days: value })}
        />
        <FilterField
          label="Language"
          value={filters.locale}
          options={localeOptions}
          onChange={(locale) => change({ locale })}
        />
      </FilterBar>
      {error && <Notice isFailure text={error} />}
      {!data && !error && <Notice text="Loading…" />}
      {data && <SearchTables data={data} />}
    </>
  )
}
