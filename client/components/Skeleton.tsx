import s from './Skeleton.module.css'

/** Gray lines that reserve space for content that is loading, so the layout does not shift. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div className={s['skeleton']} aria-hidden="true">
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} className={s['line']} />
      ))}
    </div>
  )
}
