import type { TrackKey } from '../../../shared/tracking-keys'
import s from './SegmentedControl.module.css'

/** Radio buttons side by side that look like one control. */
export function SegmentedControl({
  name,
  label,
  track,
  defaultValue,
  options,
}: {
  name: string
  label: string
  /** Key of an option when it is clicked. */
  track: TrackKey
  defaultValue: string
  options: ReadonlyArray<{ value: string; text: string }>
}) {
  return (
    <fieldset>
      <legend className={s['legend']}>{label}</legend>
      <div className={s['options']}>
        {options.map((option) => (
          <label key={option.value} className={s['option']} data-track={track}>
            <input
              className={s['input']}
              type="radio"
              name={name}
              value={option.value}
              defaultChecked={option.value === defaultValue}
            />
            {option.text}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
