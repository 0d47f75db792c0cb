import { useRef } from 'react'
import { messageStates, type Message } from '../../../shared/console/messages'
import { Button, DownloadLink } from '../components/Button'
import { FilterBar, FilterField } from '../components/FilterBar'
import { Notice } from '../components/Notice'
import { setFilters, useFilters } from '../use-filters'
import { useMessages } from '../use-messages'
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
  const [filters, changeFilters] = useFilters(['state'])
  const { list, error, isLoading, ...messages } = useMessages(setFilters(filters))
  const listRef = useRef<HTMLUListElement>(null)
  const onChange = (id: number, changed: Message | null): void => {
    // The message leaves the list, and with it the button that had the focus.
    if (!changed || !messages.isListed(changed)) listRef.current?.focus()
    messages.change(id, changed)
  }
  const query = filters.state ? `?state=${filters.state}` : ''
  return (
    <>
      <FilterBar label="Filter">
        <FilterField
          label="State"
          value={filters.state}
          options={stateOptions(list?.counts)}
          onChange={(state) => changeFilters({ state })}
        />
        <DownloadLink href={`/_ops/api/messages.csv${query}`}>Download as CSV</DownloadLink>
      </FilterBar>
      {error && <Notice isFailure text={error} />}
      {isLoading && !list && <Notice text="Loading…" />}
      {list?.messages.length === 0 && !list.hasMore && <Notice text="No messages." />}
      <ul ref={listRef} className={s['list']} tabIndex={-1} aria-label="Messages">
        {list?.messages.map((message) => (
          <MessageItem key={message.id} message={message} onChange={onChange} />
        ))}
      </ul>
      {/* Stays when no older message is left: removing it would lose the focus. */}
      {messages.hasOlder && (
        <p>
          <Button disabled={messages.isLoadingOlder || !list?.hasMore} onClick={messages.showOlder}>
            {list?.hasMore ? 'Show older messages' : 'No older messages'}
          </Button>
        </p>
      )}
    </>
  )
}
