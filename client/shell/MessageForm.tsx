import { useCallback, useEffect, useState, type SubmitEvent } from 'react'
import type englishTexts from '../../locales/en/message.json'
import { maxFieldLengths } from '../../shared/constants'
import { Field } from '../components/forms/Field'
import { useFocusWhen } from '../components/use-focus-when'
import { ApiFailure, type ApiClient } from '../platform/api-client'
import { fetchTexts } from '../platform/fetch-texts'
import { createStore } from '../platform/store'
import { useStore } from '../platform/use-store'
import { useTexts } from '../use-texts'
import { usePage } from '../view-context'
import s from './MessageForm.module.css'

type Props = { api: Pick<ApiClient, 'postJson'> }
type Texts = typeof englishTexts
type Message = Readonly<Record<'name' | 'email' | 'message', string>>
type Errors = Partial<Record<keyof Message, string>>
type State = 'editing' | 'sending' | 'sent' | 'failed' | 'tooMany'

const emptyMessage: Message = { name: '', email: '', message: '' }
/** What the visitor has typed. It outlives the panel, until the server has the message. */
const draft = createStore(emptyMessage)
/**
 * Kept when the panel is closed: a form that is opened again while its message is being sent must
 * not send it a second time.
 */
const formState = createStore<State>('editing')

/** Characters as the server counts them: code points, not UTF-16 units. */
const lengthOf = (text: string): number => Array.from(text).length

/** Errors by field. The server checks again; checking here saves the visitor a round trip. */
function validate(message: Message, texts: Texts): Errors {
  const { name, email, message: text } = message
  return {
    ...(name ? {} : { name: texts.nameMissing }),
    ...(/^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(email) ? {} : { email: texts.emailWrong }),
    ...(text && lengthOf(text) <= maxFieldLengths.message ? {} : { message: texts.textMissing }),
  }
}

function readForm(form: HTMLFormElement): Message {
  const data = new FormData(form)
  const read = (field: keyof Message): string => {
    const value = data.get(field)
    return typeof value === 'string' ? value.trim() : ''
  }
  return { name: read('name'), email: read('email'), message: read('message') }
}

type FieldsProps = {
  texts: Texts
  errors: Errors
  readOnly: boolean
  /** The form has replaced the button that the visitor used. */
  takesFocus: boolean
}

/** Read-only while a message is being sent: what is typed then would be lost when it is sent. */
function MessageFields({ texts, errors, readOnly, takesFocus }: FieldsProps) {
  const firstFieldRef = useFocusWhen<HTMLInputElement>(takesFocus)
  return (
    <>
      <Field label={texts.name} error={errors.name}>
        {(props) => (
          <input
            {...props}
            ref={firstFieldRef}
            readOnly={readOnly}
            name="name"
            defaultValue={draft.get().name}
            maxLength={maxFieldLengths.name}
            autoComplete="name"
            required
          />
        )}
      </Field>
      <Field label={texts.email} error={errors.email}>
        {(props) => (
          <input
            {...props}
            readOnly={readOnly}
            name="email"
            defaultValue={draft.get().email}
            type="email"
            maxLength={maxFieldLengths.email}
            autoComplete="email"
            required
          />
        )}
      </Field>
      <Field label={texts.text} error={errors.message}>
        {(props) => (
          <textarea
            {...props}
            readOnly={readOnly}
            name="message"
            defaultValue={draft.get().message}
            rows={4}
            required
          />
        )}
      </Field>
    </>
  )
}

async function sendMessage(api: Props['api'], body: object): Promise<void> {
  formState.set('sending')
  try {
    await api.postJson('/api/site/message', body)
    draft.set(emptyMessage)
    formState.set('sent')
  } catch (error) {
    formState.set(error instanceof ApiFailure && error.status === 429 ? 'tooMany' : 'failed')
  }
}

type LoadedFormProps = Props & Pick<FieldsProps, 'texts' | 'takesFocus'>

function LoadedForm({ api, texts, takesFocus }: LoadedFormProps) {
  const { locale, path } = usePage()
  const [errors, setErrors] = useState<Errors>({})
  const state = useStore(formState)
  const isSent = state === 'sent'
  const statusRef = useFocusWhen<HTMLParagraphElement>(isSent)
  // Opened again after the confirmation, the panel shows an empty form.
  useEffect(
    () => () => {
      if (formState.get() === 'sent') formState.set('editing')
    },
    [],
  )

  async function send(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    if (state === 'sending') return
    const form = event.currentTarget
    const message = readForm(form)
    const found = validate(message, texts)
    setErrors(found)
    const [firstField] = Object.keys(found)
    if (firstField) return form.querySelector<HTMLElement>(`[name="${firstField}"]`)?.focus()
    await sendMessage(api, { ...message, locale, page: path })
  }

  return (
    <>
      <p ref={statusRef} className={isSent ? s['sent'] : undefined} role="status" tabIndex={-1}>
        {isSent && texts.sent}
      </p>
      {!isSent && (
        <form
          className={s['form']}
          noValidate
          onChange={(event) => draft.set(readForm(event.currentTarget))}
          onSubmit={(event) => void send(event)}
        >
          <MessageFields
            texts={texts}
            errors={errors}
            readOnly={state === 'sending'}
            takesFocus={takesFocus}
          />
          {(state === 'failed' || state === 'tooMany') && (
            <p className={s['failed']} role="alert">
              {texts[state]}
            </p>
          )}
          {/* A button with `disabled` would lose the focus. */}
          <button
            type="submit"
            className={s['send']}
            data-track="contact-send"
            aria-disabled={state === 'sending'}
          >
            {state === 'sending' ? texts.sending : texts.send}
          </button>
        </form>
      )}
    </>
  )
}

/**
 * Sends a message to the site's operator. The text is kept until the server has it. No page carries
 * the form's texts; where they cannot be fetched, the visitor can try again.
 */
export function MessageForm({ api }: Props) {
  const t = useTexts('shell')
  const offline = useTexts('navigation')('offline')
  const { locale } = usePage()
  const [texts, setTexts] = useState<Texts | null>(null)
  const [failures, setFailures] = useState(0)
  const load = useCallback(() => {
    fetchTexts(locale, 'message').then(
      // A test checks that every language has the keys of the English file.
      (fetched) => setTexts(fetched as Texts),
      () => setFailures((count) => count + 1),
    )
  }, [locale])
  useEffect(load, [load])
  if (texts) return <LoadedForm api={api} texts={texts} takesFocus={failures > 0} />
  if (failures === 0) return null
  return (
    <div className={s['form']}>
      {/* With a new key, screen readers announce the same failure again. */}
      <p key={failures} className={s['failed']} role="alert">
        {navigator.onLine ? t('message.unavailable') : offline}
      </p>
      <button type="button" className={s['send']} data-track="contact-retry" onClick={load}>
        {t('message.retry')}
      </button>
    </div>
  )
}
