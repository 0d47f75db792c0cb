import { useEffect, useState } from 'react'
import {
  changeMessage,
  deleteMessage,
  messageStates,
  type Message,
} from '../../../shared/console/messages'
import { callConsole } from '../call-console'
import { Button } from '../components/Button'
import { ConfirmButton } from '../components/ConfirmButton'
import { ConsoleField } from '../components/ConsoleField'
import { FilterField } from '../components/FilterBar'
import { Notice } from '../components/Notice'
import { formatTime } from '../format-time'
import { languageName } from '../display-names'
import { useConsoleAction } from '../use-console-call'
import s from './Messages.module.css'

type OnChange = (id: number, changed: Message | null) => void

/**
 * A message that an operator edits: its unsaved state and note, and functions to save or delete it.
 */
function useMessage(message: Message, onChange: OnChange) {
  const { id } = message
  const [state, setState] = useState(message.state)
  const [note, setNote] = useState(message.note)
  const action = useConsoleAction()
  useEffect(() => {
    setState(message.state)
    setNote(message.note)
  }, [message.state, message.note])
  const save = (): void =>
    action.run(async () => {
      const { changed } = await callConsole(changeMessage, { id, state, note })
      // Where nothing was changed, another operator has deleted the message.
      onChange(id, changed ? { ...message, state, note } : null)
    })
  const remove = (): void =>
    action.run(async () => {
      await callConsole(deleteMessage, { id })
      onChange(id, null)
    })
  return { state, setState, note, setNote, action, save, remove }
}

/** One message with its state and note. `onChange` gets the changed message, null if deleted. */
export function MessageItem({ message, onChange }: { message: Message; onChange: OnChange }) {
  const { at, name, email, locale, page } = message
  const { state, setState, note, setNote, action, save, remove } = useMessage(message, onChange)
  return (
    <li className={s['message']}>
      <h2 className={s['from']}>
        {name || 'No name'} <a href={`mailto:${email}`}>{email}</a>
      </h2>
      <p className={s['meta']}>
        {formatTime(at)} · {languageName(locale)} · {page}
      </p>
      <p className={s['text']}>{message.message}</p>
      <div className={s['form']}>
        <FilterField
          label="State"
          value={state}
          options={messageStates.map((value) => ({ value, text: value }))}
          onChange={(value) => setState(messageStates.find((known) => known === value) ?? state)}
        />
        <div className={s['note']}>
          <ConsoleField label="Note">
            {(noteId) => (
              <textarea
                id={noteId}
                rows={2}
                maxLength={4000}
                value={note}
                onChange={(event) => setNote(event.target.value)}
              />
            )}
          </ConsoleField>
        </div>
        <Button kind="main" disabled={action.isRunning} onClick={save}>
          Save
        </Button>
        <ConfirmButton
          text="Delete"
          question="Delete this message?"
          disabled={action.isRunning}
          onConfirm={remove}
        />
      </div>
      {action.error && <Notice isFailure text={action.error} />}
    </li>
  )
}
