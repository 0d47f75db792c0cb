import { readOverview, type Overview as Data } from '../../../shared/console/overview'
import { StatTiles } from '../components/StatTiles'
import { FilterBar, FilterField } from '../components/FilterBar'
import { Notice } from '../components/Notice'
import { formatTime } from '../format-time'
import { localeOptions } from '../locale-options'
import { setFilters, useFilters } from '../use-filters'
import { useConsoleCall } from '../use-console-call'
import { OverviewTables } from './OverviewTables'
import { VisitorChart } from './VisitorChart'

const metricNames = {
  views: 'Page views',
  visitors: 'Visitors',
  referrals: 'Referrals',
  downloads: 'Downloads',
  registrations: 'Registration clicks',
  accounts: 'New accounts',
  messages: 'Messages',
  errors: 'Errors',
} as const

const tilesOf = ({ totals }: Data) =>
  Object.entries(metricNames).map(([metric, name]) => ({
    name,
    // Cast: the entries are those of `metricNames`.
    ...totals[metric as keyof typeof metricNames],
  }))

/** What visitors did in a period, compared with the period before. */
export function Overview() {
  const [filters, change] = useFilters(['from', 'to', 'locale', 'country'])
  const { data, error, isLoading } = useConsoleCall(readOverview, setFilters(filters))
  return (
    <>
      <FilterBar label="Period">
        <FilterField
          label="From"
          type="date"
          value={filters.from || (data?.from ?? '')}
          onChange={(from) => change({ from })}
        />
        <FilterField
          label="To"
          type="date"
          value={filters.to || (data?.to ?? '')}
          onChange={(to) => change({ to })}
        />
        <FilterField
          label="Language"
          value={filters.locale}
          options={localeOptions}
          onChange={(locale) => change({ locale })}
        />
        <FilterField
          label="Country code"
          value={filters.country}
          onChange={(country) => change({ country: country.toUpperCase() })}
        />
      </FilterBar>
      {error && <Notice isFailure text={error} />}
      {isLoading && !data && <Notice text="Loading…" />}
      {data && (
        <>
          <p>
            {data.countedUntil === null
              ? 'No events are counted yet.'
              : `Counted until ${formatTime(data.countedUntil)}. Days in UTC; a visitor counts once a day.`}
          </p>
          <StatTiles tiles={tilesOf(data)} />
          <VisitorChart data={data} />
          <OverviewTables data={data} />
        </>
      )}
    </>
  )
}
