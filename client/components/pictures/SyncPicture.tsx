import s from './SyncPicture.module.css'

const windowIds = ['a', 'b', 'c', 'd', 'e', 'f']

/** Drawing of the synchronizer: one leading window, and five that repeat its actions. */
export function SyncPicture({
  texts,
}: {
  texts: Readonly<Record<'label' | 'leader' | 'follower' | 'delay', string>>
}) {
  return (
    <div className={s['sync']} role="img" aria-label={texts.label} data-expose="picture-sync">
      {windowIds.map((id, index) => (
        <div key={id} className={index === 0 ? `${s['window']} ${s['leader']}` : s['window']}>
          <span className={s['bar']}>{index === 0 ? texts.leader : texts.follower}</span>
          <svg viewBox="0 0 120 66" aria-hidden="true">
            <path d="M10 10h40" stroke="var(--line-strong)" strokeWidth="4" strokeLinecap="round" />
            <path
              d="M10 21h100M10 29h84"
              stroke="var(--line)"
              strokeWidth="3"
              strokeLinecap="round"
            />
            <rect
              x="10"
              y="40"
              width="62"
              height="14"
              rx="3"
              fill="none"
              stroke="var(--line-strong)"
            />
            <path d="M15 47h26" stroke="var(--blue)" strokeWidth="3" strokeLinecap="round" />
            <rect x="78" y="40" width="32" height="14" rx="3" fill="var(--tile-2)" />
            <path d="m94 47 10 4-4.500 1.700-1.800 4.300z" fill="var(--ink)" />
          </svg>
        </div>
      ))}
      <p className={s['delay']}>{texts.delay}</p>
    </div>
  )
}
