import { useEffect, useState } from 'react'
import type { z } from 'zod'
import { listMessages, type Message } from '../../shared/console/messages'
import { callConsole } from './call-console'
import { useConsoleAction, useConsoleCall } from './use-console-call'

type MessageList = z.output<typeof listMessages.output>

/** The list after one message has been changed, or deleted where `changed` is null. */
function withChange(
  list: MessageList,
  id: number,
  changed: Message | null,
  isListed: (message: Message) => boolean,
): MessageList {
  const before = list.messages.find((message) => message.id === id)
  if (!before) return list
  const counts = { ...list.counts }
  counts[before.state] -= 1
  if (changed) counts[changed.state] += 1
  const kept = changed && isListed(changed) ? [changed] : []
  return {
    ...list,
    counts,
    messages: list.messages.flatMap((message) => (message.id === id ? kept : [message])),
  }
}

/**
 * Messages of a state, or all, and the older ones that the operator asks for. A saved change is
 * made in this list too. Reading the messages again instead would hide the older ones.
 */
export function useMessages(filters: { state?: string }) {
  const { data, error, isLoading } = useConsoleCall(listMessages, filters)
  // `source`: the first messages, which are others after another choice of state.
  const [shown, setShown] = useState<{ source: MessageList; list: MessageList } | null>(null)
  const older = useConsoleAction()
  useEffect(() => setShown(data && { source: data, list: data }), [data])
  const list = shown?.list ?? null
  const isListed = ({ state }: Message): boolean => !filters.state || state === filters.state
  const showOlder = (): void =>
    older.run(async () => {
      const last = list?.messages.at(-1)
      const next = await callConsole(listMessages, {
        ...filters,
        ...(last ? { before: last.id } : {}),
      })
      // The list can have changed in the meantime: then `next` is not what follows it.
      setShown((current) =>
        current && current.source === data && current.list.messages.at(-1)?.id === last?.id
          ? {
              ...current,
              list: { ...next, messages: [...current.list.messages, ...next.messages] },
            }
          : current,
      )
    })
  const change = (id: number, changed: Message | null): void =>
    setShown(
      (current) => current && { ...current, list: withChange(current.list, id, changed, isListed) },
    )
  return {
    list,
    isListed,
    change,
    showOlder,
    /** Whether there are older messages than the first ones, already in the list or not. */
    hasOlder: shown?.source.hasMore ?? false,
    isLoading,
    isLoadingOlder: older.isRunning,
    error: error ?? older.error,
  }
}
