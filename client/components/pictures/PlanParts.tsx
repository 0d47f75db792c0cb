import type { PicturePart } from '../../../shared/landing-schemas'
import { iconOr } from '../../icons/names'
import { Icon } from '../Icon'
import s from './LandingPicture.module.css'

type PartOf<K extends PicturePart['kind']> = Extract<PicturePart, { kind: K }>

/** The steps of an automation flow; those that a loop repeats are indented. */
export function FlowPart({ title, steps }: PartOf<'flow'>) {
  return (
    <>
      <p className={s['bar']}>
        <Icon name="play" size={16} />
        <span className={s['name']}>{title}</span>
      </p>
      <div className={s['flow']}>
        {steps.map((step) => (
          <p key={step.text} className={step.nested ? `${s['step']} ${s['nested']}` : s['step']}>
            <Icon name={iconOr(step.icon)} size={16} />
            <span className={s['grow']}>{step.text}</span>
          </p>
        ))}
      </div>
    </>
  )
}

/** A small table. */
export function TablePart({ title, columns, rows }: PartOf<'table'>) {
  return (
    <>
      {title && (
        <p className={s['bar']}>
          <span className={s['name']}>{title}</span>
        </p>
      )}
      <div className={s['table']} data-columns={columns.length}>
        {columns.map((column) => (
          <span key={column} className={s['column']}>
            {column}
          </span>
        ))}
        {rows.flatMap((row) =>
          row.map((cell, index) => (
            <span key={`${row.join(' ')} ${index}`} className={s['cell']}>
              {cell}
            </span>
          )),
        )}
      </div>
    </>
  )
}

/** A week, one line for each day. */
export function CalendarPart({ days, slots }: PartOf<'calendar'>) {
  return (
    <div className={s['calendar']}>
      {days.map((day, index) => (
        <p key={day} className={s['row']}>
          <span className={s['time']}>{day}</span>
          <span className={s['slots']}>
            {slots
              .filter((slot) => slot.day === index + 1)
              .map((slot) => (
                <span key={slot.text} className={`${s['mark']} ${s[slot.tone]}`}>
                  {slot.text}
                </span>
              ))}
          </span>
        </p>
      ))}
    </div>
  )
}
