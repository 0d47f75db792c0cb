import { useId, type ReactNode } from 'react'
import s from './Field.module.css'

/** Attributes that connect a form control with its label, hint and error. */
export type FieldProps = {
  id: string
  className: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}
type Props = {
  label: string
  hint?: string | undefined
  error?: string | undefined
  children: (props: FieldProps) => ReactNode
}

/** A form field: label, hint, error and the control, in this order. */
export function Field({ label, hint, error, children }: Props) {
  const id = useId()
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={error ? `${s['field']} ${s['invalid']}` : s['field']}>
      <label className={s['label']} htmlFor={id}>
        {label}
      </label>
      {hint && (
        <p className={s['hint']} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className={s['error']} id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
      {children({
        id,
        className: s['control'] ?? '',
        'aria-describedby': describedBy || undefined,
        'aria-invalid': error ? true : undefined,
      })}
    </div>
  )
}
