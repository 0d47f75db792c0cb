import { useEffect, useRef, useState } from 'react'
import { listMessages, messageStates, type Message } from '../../../shared/console/messages'
import { callConsole } from '../call-console'
import { Button, DownloadLink } from '../components/Button'
import { FilterBar, FilterField } from '../components/FilterBar'
import { Notice } from '../components/Notice'
import { setFilters, useFilters } from '../use-filters'
import { useConsoleAction, useConsoleCall } from '../use-console-call'
import { MessageItem } from './MessageItem'
import s from './Messages.module.css'

/** The states as choices, with the number of messages in each. */
const stateOptions = (counts: Readonly<Record<Message['state'], number>> | undefined) => [
  { value: '', text: 'All' },
  ...messageStates.map((state) => ({
    value: state,
    text: counts ? `${state} (${counts[state]})` : state,
  })),
]

/** What visitors wrote: state, notes, file and deletion. */
export function Messages() {
  const [filters, change] = useFilters(['state'])
  const { data, error, isLoading, reload } = useConsoleCall(listMessages, setFilters(filters))
  const [older, setOlder] = useState<{ messages: Message[]; hasMore: boolean } | null>(null)
  const action = useConsoleAction()
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => setOlder(null), [data])
  const messages = [...(data?.messages ?? []), ...(older?.messages ?? [])]
  const last = messages.at(-1)
  const hasMore = older ? older.hasMore : (data?.hasMore ?? false)
  const showOlder = (): void =>
    action.run(async () => {
      const input = { ...setFilters(filters), ...(last ? { before: last.id } : {}) }
      const next = await callConsole(listMessages, input)
      setOlder({
        messages: [...(older?.messages ?? []), ...next.messages],
        hasMore: next.hasMore,
      })
    })
  const applyChange = (state: Message['state'] | null): void => {
    // The message leaves the list, and with it the button that had the focus.
    if (state === null || (filters.state && state !== filters.state)) list.current?.focus()
    reload()
  }
  const query = filters.state ? `?state=${filters.state}` : ''
  return (
    <>
      <FilterBar label="Filter">
        <FilterField
          label="State"
          value={filters.state}
          options={stateOptions(data?.counts)}
          onChange={(state) => change({ state })}
        />
        <DownloadLink href={`/_ops/api/messages.csv${query}`}>Download as CSV</DownloadLink>
      </FilterBar>
      {(error ?? action.error) && <Notice isFailure text={error ?? action.error ?? ''} />}
      {isLoading && !data && <Notice text="Loading…" />}
      {data && messages.length === 0 && <Notice text="No messages." />}
      <ul ref={list} className={s['list']} tabIndex={-1} aria-label="Messages">
        {messages.map((message) => (
          <MessageItem key={message.id} message={message} onChange={applyChange} />
        ))}
      </ul>
      {hasMore && (
        <p>
          <Button disabled={action.isRunning} onClick={showOlder}>
            Show older messages
          </Button>
        </p>
      )}
    </>
  )
}
