import type { ReactNode } from 'react'
import { ConsoleField } from './ConsoleField'
import s from './FilterBar.module.css'

/** Fields that narrow a view, side by side. */
export function FilterBar({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={s['bar']} role="group" aria-label={label}>
      {children}
    </div>
  )
}

/** A labeled field of a filter. An empty value is no filter. */
export function FilterField({
  label,
  value,
  onChange,
  type = 'text',
  options,
}: {
  label: string
  value: string
  onChange: (value: string) => void
  type?: 'text' | 'date' | 'search'
  /** Choices instead of a text. */
  options?: ReadonlyArray<{ value: string; text: string }>
}) {
  return (
    <ConsoleField label={label}>
      {(id) =>
        options ? (
          <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.text}
              </option>
            ))}
          </select>
        ) : (
          <input
            id={id}
            type={type}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        )
      }
    </ConsoleField>
  )
}
