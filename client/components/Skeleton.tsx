import s from './Skeleton.module.css'

/** Gray lines that reserve space for content that is loading, so the layout does not shift. */
export function Skeleton() {
  return (
    <div className={s['skeleton']} aria-hidden="true">
      <span className={s['line']} />
      <span className={s['line']} />
      <span className={s['line']} />
    </div>
  )
}
