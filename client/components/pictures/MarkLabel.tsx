import type { Mark } from '../../../shared/landing-schemas'
import s from './LandingPicture.module.css'

/** A short text in the color of its meaning. */
export function MarkLabel({ mark }: { mark: Mark }) {
  return <span className={`${s['mark']} ${s[mark.tone]}`}>{mark.text}</span>
}
