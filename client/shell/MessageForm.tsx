import { useState, type FormEvent } from 'react'
import type englishTexts from '../../locales/en/message.json'
import { Field } from '../components/forms/Field'
import { usePage } from '../view-context'
import { ApiFailure, type ApiClient } from '../platform/api-client'
import s from './MessageForm.module.css'
import { useLateTexts } from './use-late-texts'

type Texts = typeof englishTexts
type FieldName = 'name' | 'email' | 'message'
type State = 'writing' | 'sending' | 'sent' | 'failed' | 'tooMany'

const longest = 4000
const lengthOf = (text: string): number => [...text].length

/** What is wrong with each field. The server decides again; this spares a visitor the way there. */
function faultsOf(
  values: Readonly<Record<FieldName, string>>,
  texts: Texts,
): Partial<Record<FieldName, string>> {
  return {
    ...(values.name ? {} : { name: texts.nameMissing }),
    ...(/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(values.email) ? {} : { email: texts.emailWrong }),
    ...(values.message && lengthOf(values.message) <= longest
      ? {}
      : { message: texts.textMissing }),
  }
}

/** Leaves a message with the site (decisions 7). What was written stays until it has arrived. */
export function MessageForm({ api }: { api: Pick<ApiClient, 'postJson'> }) {
  const { locale, path } = usePage()
  const texts = useLateTexts<Texts>(locale, 'message')
  const [faults, setFaults] = useState<Partial<Record<FieldName, string>>>({})
  const [state, setState] = useState<State>('writing')
  if (!texts) return null

  async function send(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    if (!texts || state === 'sending') return
    const form = event.currentTarget
    const data = new FormData(form)
    const value = (name: FieldName): string => String(data.get(name) ?? '').trim()
    const values = { name: value('name'), email: value('email'), message: value('message') }
    const found = faultsOf(values, texts)
    setFaults(found)
    const [first] = Object.keys(found)
    if (first) return form.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
    setState('sending')
    await api.postJson('/api/site/message', { ...values, locale, page: path }).then(
      () => setState('sent'),
      (error: unknown) =>
        setState(error instanceof ApiFailure && error.status === 429 ? 'tooMany' : 'failed'),
    )
  }

  if (state === 'sent')
    return (
      <p className={s['sent']} role="status">
        {texts.sent}
      </p>
    )
  return (
    <form className={s['form']} noValidate onSubmit={(event) => void send(event)}>
      <Field label={texts.name} error={faults.name}>
        {(props) => <input {...props} name="name" maxLength={100} autoComplete="name" required />}
      </Field>
      <Field label={texts.email} error={faults.email}>
        {(props) => (
          <input
            {...props}
            name="email"
            type="email"
            maxLength={254}
            autoComplete="email"
            required
          />
        )}
      </Field>
      <Field label={texts.text} error={faults.message}>
        {(props) => <textarea {...props} name="message" rows={4} required />}
      </Field>
      {(state === 'failed' || state === 'tooMany') && (
        <p className={s['failed']} role="alert">
          {state === 'failed' ? texts.failed : texts.tooMany}
        </p>
      )}
      <button
        type="submit"
        className={s['send']}
        data-track="send-message"
        disabled={state === 'sending'}
      >
        {state === 'sending' ? texts.sending : texts.send}
      </button>
    </form>
  )
}
