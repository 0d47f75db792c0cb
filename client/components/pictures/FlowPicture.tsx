import { Icon } from '../Icon'
import s from './FlowPicture.module.css'

const steps = [
  { id: 'open', icon: 'globe', inner: false },
  { id: 'wait', icon: 'info', inner: false },
  { id: 'loop', icon: 'refresh', inner: false },
  { id: 'read', icon: 'search', inner: true },
  { id: 'save', icon: 'download', inner: false },
] as const

type FlowTexts = Readonly<Record<'label' | 'schedule' | (typeof steps)[number]['id'], string>>

/** A flow read from top to bottom; what is repeated is indented. */
export function FlowPicture({ texts }: { texts: FlowTexts }) {
  return (
    <div className={s['panel']} role="img" aria-label={texts.label}>
      <p className={s['schedule']}>
        <Icon name="play" size={18} />
        {texts.schedule}
      </p>
      {steps.map((step, index) => (
        <p key={step.id} className={step.inner ? `${s['step']} ${s['inner']}` : s['step']}>
          <span className={s['number']}>{index + 1}</span>
          <Icon name={step.icon} size={18} />
          {texts[step.id]}
        </p>
      ))}
    </div>
  )
}
