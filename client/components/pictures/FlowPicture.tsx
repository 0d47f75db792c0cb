import { Icon } from '../Icon'
import s from './FlowPicture.module.css'

const steps = [
  { id: 'open', icon: 'globe', isNested: false },
  { id: 'wait', icon: 'info', isNested: false },
  { id: 'loop', icon: 'refresh', isNested: false },
  { id: 'read', icon: 'search', isNested: true },
  { id: 'save', icon: 'download', isNested: false },
] as const

type FlowTexts = Readonly<Record<'label' | 'schedule' | (typeof steps)[number]['id'], string>>

/** Drawing of an automation flow; repeated steps are indented. */
export function FlowPicture({ texts }: { texts: FlowTexts }) {
  return (
    <div className={s['panel']} role="img" aria-label={texts.label} data-expose="picture-flow">
      <p className={s['schedule']}>
        <Icon name="play" size={18} />
        {texts.schedule}
      </p>
      {steps.map((step, index) => (
        <p key={step.id} className={step.isNested ? `${s['step']} ${s['nested']}` : s['step']}>
          <span className={s['number']}>{index + 1}</span>
          <Icon name={step.icon} size={18} />
          {texts[step.id]}
        </p>
      ))}
    </div>
  )
}
