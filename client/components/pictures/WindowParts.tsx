import type { PicturePart } from '../../../shared/landing-schemas'
import { Icon } from '../Icon'
import { MarkLabel } from './MarkLabel'
import s from './LandingPicture.module.css'

type PartOf<K extends PicturePart['kind']> = Extract<PicturePart, { kind: K }>

/** A window of the browser with the name of its profile and some lines of a page. */
export function BrowserPart({ profile, proxy, address, lines }: PartOf<'browser'>) {
  return (
    <>
      <p className={s['bar']}>
        <span className={s['tile']} />
        <span className={s['name']}>{profile}</span>
        {proxy && <span className={s['detail']}>{proxy}</span>}
      </p>
      <p className={s['address']}>{address}</p>
      {lines.map((line) => (
        <p key={line.text} className={s['row']}>
          <span className={s['grow']}>{line.text}</span>
          {line.mark && <MarkLabel mark={line.mark} />}
        </p>
      ))}
    </>
  )
}

/** The list of profiles. */
export function ProfilesPart({ title, rows }: PartOf<'profiles'>) {
  return (
    <>
      <p className={s['bar']}>
        <span className={s['name']}>{title}</span>
      </p>
      {rows.map((row) => (
        <p key={row.name} className={s['row']}>
          <span className={s['tile']} />
          <span className={s['grow']}>
            <span className={s['name']}>{row.name}</span>
            <span className={s['detail']}>
              <Icon name={row.system} size={14} /> {row.proxy}
            </span>
          </span>
          <MarkLabel mark={row.status} />
        </p>
      ))}
    </>
  )
}

/** Commands and what they print. */
export function TerminalPart({ title, lines }: PartOf<'terminal'>) {
  return (
    <>
      <p className={s['bar']}>
        <span className={s['name']}>{title}</span>
      </p>
      <p className={s['code']} dir="ltr">
        {lines.map((line, index) =>
          'command' in line ? (
            <span key={index} className={s['command']}>
              {line.command}
            </span>
          ) : (
            <span key={index} className={s['output']}>
              {line.output}
            </span>
          ),
        )}
      </p>
    </>
  )
}
