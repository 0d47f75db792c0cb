import { useId, type ReactNode } from 'react'
import s from './Field.module.css'

/** Attributes that connect a form control with its label and error. */
type FieldProps = {
  id: string
  className: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}
type Props = {
  label: string
  error?: string | undefined
  children: (props: FieldProps) => ReactNode
}

/** A form field: label, error and the control, in this order. */
export function Field({ label, error, children }: Props) {
  const id = useId()
  return (
    <div className={error ? `${s['field']} ${s['invalid']}` : s['field']}>
      <label className={s['label']} htmlFor={id}>
        {label}
      </label>
      {error && (
        <p className={s['error']} id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
      {children({
        id,
        className: s['control'] ?? '',
        'aria-describedby': error ? `${id}-error` : undefined,
        'aria-invalid': error ? true : undefined,
      })}
    </div>
  )
}
