import { Fragment, useEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import {
  addressDays,
  explainAddress,
  listAddresses,
  proposeRedirect,
  type MissingAddress,
  type RedirectUse,
} from '../../../shared/console/addresses'
import { callConsole } from '../call-console'
import { ActionForm } from '../components/ActionForm'
import { Button } from '../components/Button'
import { DataTable, type TableColumn } from '../components/DataTable'
import { Facts } from '../components/Facts'
import { TextField } from '../components/ConsoleField'
import { Notice } from '../components/Notice'
import { Panel } from '../components/Panel'
import { useConsoleAction, useConsoleCall } from '../use-console-call'
import s from './Addresses.module.css'

const redirectColumns: ReadonlyArray<TableColumn<RedirectUse>> = [
  { id: 'line', title: 'Line', value: (row) => row.line },
  { id: 'from', title: 'From', value: (row) => row.from },
  { id: 'to', title: 'To', value: (row) => row.to },
  { id: 'status', title: 'Status', value: (row) => row.status },
  { id: 'locales', title: 'Languages', value: (row) => row.locales || 'all' },
  { id: 'hits', title: 'Hits', value: (row) => row.hits },
]

/** A target for a missing address, found by the search, as a row to copy. */
function Proposal({ host, path }: Pick<MissingAddress, 'host' | 'path'>) {
  const [row, setRow] = useState('')
  const [isCopied, setCopied] = useState(false)
  const shown = useRef<HTMLElement>(null)
  const action = useConsoleAction()
  const propose = (): void =>
    action.run(async () => setRow((await callConsole(proposeRedirect, { host, path })).row))
  const copy = (): void =>
    action.run(async () => {
      await navigator.clipboard.writeText(row)
      setCopied(true)
    })
  // The row replaces the button that had the focus.
  useEffect(() => shown.current?.focus(), [row])
  if (action.error) return <Notice isFailure text={action.error} />
  if (row === '')
    return (
      <Button disabled={action.isRunning} onClick={propose}>
        Propose
      </Button>
    )
  return (
    <div className={s['proposal']}>
      <code ref={shown} className={s['row']} tabIndex={-1}>
        {row.split(' ').map((word, index) => (
          // Paths do not break at their hyphens.
          <Fragment key={index}>
            <span>{word}</span>{' '}
          </Fragment>
        ))}
      </code>
      <Button onClick={copy}>{isCopied ? 'Copied' : 'Copy'}</Button>
    </div>
  )
}

const missingColumns: ReadonlyArray<TableColumn<MissingAddress>> = [
  { id: 'path', title: 'Address', value: (row) => row.path },
  { id: 'host', title: 'Host', value: (row) => row.host },
  { id: 'referrer', title: 'Linked from', value: (row) => row.referrer || 'unknown' },
  { id: 'count', title: 'Visits', value: (row) => row.count },
  { id: 'last', title: 'Last', value: (row) => row.lastDay },
  {
    id: 'redirect',
    title: 'Redirect',
    value: (row) => row.path,
    cell: (row) => <Proposal host={row.host} path={row.path} />,
  },
]

type Explanation = z.output<typeof explainAddress.output>
const factsOf = ({ host, origin, status, location, route, details }: Explanation) => [
  { name: 'Served by', value: `${host}: ${origin}` },
  { name: 'Answer', value: location === '' ? String(status) : `${status} to ${location}` },
  ...(route === '' ? [] : [{ name: 'Page', value: route }]),
  ...details.map((value, index) => ({ name: `Detail ${index + 1}`, value })),
]

/** Every rule that fires for an address, and the answer. */
function Laboratory() {
  const [url, setUrl] = useState('')
  const [language, setLanguage] = useState('')
  const [result, setResult] = useState<Explanation | null>(null)
  const action = useConsoleAction()
  const explain = (): void =>
    action.run(async () =>
      setResult(await callConsole(explainAddress, { url, acceptLanguage: language || undefined })),
    )
  return (
    <Panel title="Laboratory" about="What the site answers to an address, and why.">
      <ActionForm action={action} button="Explain" onSubmit={explain}>
        <TextField label="Address" value={url} isRequired onChange={setUrl} />
        <TextField label="Accept-Language (optional)" value={language} onChange={setLanguage} />
      </ActionForm>
      {result && (
        <div role="status" className={s['result']}>
          {result.rules.length === 0 ? (
            <p>No rule fires: the address is canonical.</p>
          ) : (
            <ol className={s['rules']}>
              {result.rules.map((rule, index) => (
                <li key={index}>{rule}</li>
              ))}
            </ol>
          )}
          <Facts rows={factsOf(result)} />
        </div>
      )}
    </Panel>
  )
}

/** Redirects with their use, addresses that visitors miss, and what rules do to an address. */
export function Addresses() {
  const { data, error } = useConsoleCall(listAddresses, {})
  return (
    <>
      <Laboratory />
      {error && <Notice isFailure text={error} />}
      {!data && !error && <Notice text="Loading…" />}
      {data && (
        <>
          <Panel
            title="Missing pages"
            about={`Addresses that browsers opened in the last ${addressDays} days and that no page has. Propose finds a target by the site's search; paste the row into content/redirects.yaml.`}
          >
            <DataTable
              caption="Missing pages"
              columns={missingColumns}
              rows={data.missing}
              empty="No page was missing."
            />
          </Panel>
          <Panel
            title="Redirects"
            about={`Rows of content/redirects.yaml, with their hits in the last ${addressDays} days.`}
          >
            <DataTable
              caption="Redirects"
              columns={redirectColumns}
              rows={data.redirects}
              empty="The table has no rows."
            />
          </Panel>
        </>
      )}
    </>
  )
}
