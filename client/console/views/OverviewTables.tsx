import type {
  ErrorRow,
  GroupRow,
  KeyCount,
  Overview,
  VitalsRow,
} from '../../../shared/console/overview'
import { BarList } from '../components/BarList'
import { DataTable, type TableColumn } from '../components/DataTable'
import { Panel } from '../components/Panel'
import { formatTime } from '../format-time'
import { countryName, languageName } from '../display-names'
import { rateVital, type VitalName } from '../rate-vital'
import s from './OverviewTables.module.css'

const groupColumns = (title: string, name: (key: string) => string) =>
  [
    { id: 'key', title, value: ({ key }) => name(key) },
    { id: 'views', title: 'Views', value: ({ views }) => views },
    { id: 'visitors', title: 'Visitors', value: ({ visitors }) => visitors },
  ] satisfies Array<TableColumn<GroupRow>>
const languageColumns = groupColumns('Language', languageName)
const countryColumns = groupColumns('Country', countryName)
const deviceColumns = groupColumns('Device', (key) => (key === '-' ? 'unknown' : key))

const keyColumns = (title: string, count: string) =>
  [
    { id: 'key', title, value: ({ key }) => key },
    { id: 'count', title: count, value: (row) => row.count },
    { id: 'before', title: 'Before', value: ({ before }) => before },
  ] satisfies Array<TableColumn<KeyCount>>
const pageColumns = keyColumns('Page', 'Views')
const referrerColumns = keyColumns('Referrer', 'Visits')
const campaignColumns = keyColumns('Campaign', 'Visits')
const downloadColumns = keyColumns('System', 'Clicks')

const vitalColumn = (name: VitalName): TableColumn<VitalsRow> => ({
  id: name,
  title: name.toUpperCase(),
  value: (row) => row[name] ?? -1,
  cell: (row) => rateVital(name, row[name]),
})
const vitalsColumns: ReadonlyArray<TableColumn<VitalsRow>> = [
  { id: 'route', title: 'Route', value: ({ route }) => route },
  { id: 'locale', title: 'Language', value: ({ locale }) => languageName(locale) },
  { id: 'visits', title: 'Page views', value: ({ visits }) => visits },
  vitalColumn('lcp'),
  vitalColumn('inp'),
  vitalColumn('cls'),
]
const errorColumns: ReadonlyArray<TableColumn<ErrorRow>> = [
  { id: 'type', title: 'Type', value: ({ type }) => type },
  { id: 'what', title: 'What', value: ({ what }) => what },
  { id: 'message', title: 'Message', value: ({ message }) => message },
  { id: 'count', title: 'Errors', value: ({ count }) => count },
  {
    id: 'first',
    title: 'First seen',
    value: ({ firstAt }) => firstAt,
    cell: ({ firstAt }) => formatTime(firstAt),
  },
  {
    id: 'last',
    title: 'Last seen',
    value: ({ lastAt }) => lastAt,
    cell: ({ lastAt }) => formatTime(lastAt),
  },
]
const stepNames: Readonly<Record<string, string>> = {
  'step-landed': 'Landed on a page',
  'step-second': 'Viewed a second page',
  'step-prices': 'Viewed prices or downloads',
  'step-register': 'Clicked to register',
}

/** One table of a view in its panel. */
function TablePanel<Row extends object>({
  title,
  about,
  columns,
  rows,
}: {
  title: string
  about?: string
  columns: ReadonlyArray<TableColumn<Row>>
  rows: readonly Row[]
}) {
  return (
    <Panel title={title} about={about}>
      <DataTable caption={title} columns={columns} rows={rows} />
    </Panel>
  )
}

/** The funnel and all tables of the overview. */
export function OverviewTables({ data }: { data: Overview }) {
  return (
    <>
      <div className={s['grid']}>
        <Panel
          title="From landing to registration"
          about="Visitors who reached each step on a day."
        >
          <BarList
            bars={data.funnel.map(({ step, count }) => ({ name: stepNames[step] ?? step, count }))}
          />
        </Panel>
        <TablePanel title="Pages" columns={pageColumns} rows={data.pages} />
        <TablePanel title="Referrers" columns={referrerColumns} rows={data.referrers} />
        <TablePanel title="Campaigns" columns={campaignColumns} rows={data.campaigns} />
        <TablePanel title="Languages" columns={languageColumns} rows={data.locales} />
        <TablePanel title="Countries" columns={countryColumns} rows={data.countries} />
        <TablePanel title="Devices" columns={deviceColumns} rows={data.devices} />
        <TablePanel title="Downloads" columns={downloadColumns} rows={data.downloads} />
      </div>
      <TablePanel
        title="Web vitals"
        about="75th percentile of the newest 20,000 page views: three of four were at least this good."
        columns={vitalsColumns}
        rows={data.vitals}
      />
      <TablePanel
        title="Errors"
        about="100101: a file or request failed. 100102: a script error. 100103: an unhandled rejection."
        columns={errorColumns}
        rows={data.errors}
      />
    </>
  )
}
