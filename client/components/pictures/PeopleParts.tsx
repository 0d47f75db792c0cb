import type { PicturePart } from '../../../shared/landing-schemas'
import { MarkLabel } from './MarkLabel'
import s from './LandingPicture.module.css'

type PartOf<K extends PicturePart['kind']> = Extract<PicturePart, { kind: K }>

/** Messages between two people. */
export function ChatPart({ messages }: PartOf<'chat'>) {
  return (
    <div className={s['chat']}>
      {messages.map((message) => (
        <p key={message.text} className={message.isOwn ? s['own'] : s['message']}>
          <span className={s['detail']}>{message.from}</span>
          {message.text}
        </p>
      ))}
    </div>
  )
}

/** People, their role, and what they can open. */
export function RolesPart({ title, people }: PartOf<'roles'>) {
  return (
    <>
      <p className={s['bar']}>
        <span className={s['name']}>{title}</span>
      </p>
      {people.map((person) => (
        <p key={person.name} className={s['row']}>
          <span className={s['initial']}>{Array.from(person.name)[0]}</span>
          <span className={s['grow']}>
            <span className={s['name']}>{person.name}</span>
            <span className={s['detail']}>{person.access}</span>
          </span>
          <MarkLabel mark={person.role} />
        </p>
      ))}
    </>
  )
}

/** The activity log. */
export function LogPart({ title, rows }: PartOf<'log'>) {
  return (
    <>
      <p className={s['bar']}>
        <span className={s['name']}>{title}</span>
      </p>
      {rows.map((row) => (
        <p key={`${row.time} ${row.action}`} className={s['row']}>
          <span className={s['time']}>{row.time}</span>
          <span className={s['grow']}>
            <span className={s['name']}>{row.person}</span>
            <span className={s['detail']}>{row.action}</span>
          </span>
        </p>
      ))}
    </>
  )
}
