import s from './Choice.module.css'

/** A few values of which one holds, side by side: radio buttons that look like one switch. */
export function Choice({
  name,
  label,
  first,
  options,
}: {
  name: string
  label: string
  first: string
  options: ReadonlyArray<{ value: string; text: string }>
}) {
  return (
    <fieldset className={s['choice']}>
      <legend className={s['legend']}>{label}</legend>
      <div className={s['options']}>
        {options.map((option) => (
          <label key={option.value} className={s['option']}>
            <input
              className={s['input']}
              type="radio"
              name={name}
              value={option.value}
              defaultChecked={option.value === first}
            />
            {option.text}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
