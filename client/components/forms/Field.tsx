import { useId, type ReactNode } from 'react'
import s from './Field.module.css'

/** What a control needs to belong to its label, its hint and its error. */
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

/** A form field: label above, hint below it, then what is wrong, then the control. */
export function Field({ label, hint, error, children }: Props) {
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={error ? `${s['field']} ${s['wrong']}` : s['field']}>
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
        'aria-describedby': described || undefined,
        'aria-invalid': error ? true : undefined,
      })}
    </div>
  )
}
