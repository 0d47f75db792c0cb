import { useId, type ReactNode } from 'react'
import s from './ConsoleField.module.css'

/** A labeled field of a form; `children` gets the id of its label's target. */
export function ConsoleField({
  label,
  children,
}: {
  label: string
  children: (id: string) => ReactNode
}) {
  const id = useId()
  return (
    <div className={s['field']}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  )
}

/** A labeled line of text. */
export function TextField({
  label,
  value,
  onChange,
  isRequired = false,
}: {
  label: string
  value: string
  onChange: (value: string) => void
  isRequired?: boolean
}) {
  return (
    <ConsoleField label={label}>
      {(id) => (
        <input
          id={id}
          value={value}
          required={isRequired}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </ConsoleField>
  )
}
