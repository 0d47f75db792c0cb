import s from './Placeholder.module.css'

/** Holds the place of what is still on its way, so that nothing moves when it comes. */
export function Placeholder({ lines = 3 }: { lines?: number }) {
  return (
    <div className={s['placeholder']} aria-hidden="true">
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} className={s['line']} />
      ))}
    </div>
  )
}
