import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePage } from '../view-context'
import { browserClock } from '../platform/clock'
import s from './Consult.module.css'
import corner from './Corner.module.css'
import { qrCode, qrPath } from './qr-code'
import { useCorner } from './use-corner'

/** The quiet zone that readers of the code need, in squares. */
const margin = 4
/** Time for the pointer to cross the gap between button and popup (ms). */
const crossing = 200

function Popup({ id }: { id: string }) {
  const { t } = useTranslation()
  const { site } = usePage()
  const place = useCorner('consult-popup')
  const { email } = site.contact
  const code = qrCode(`mailto:${email}`)
  const size = (code?.length ?? 0) + 2 * margin
  return (
    <div
      ref={place}
      id={id}
      className={s['popup']}
      data-shell="consult-popup"
      role="dialog"
      aria-label={t('consult.title')}
    >
      {code && (
        <svg
          className={s['code']}
          viewBox={`0 0 ${size} ${size}`}
          role="img"
          aria-label={t('consult.code', { email })}
          shapeRendering="crispEdges"
        >
          <path d={`M0 0h${size}v${size}H0z`} fill="#fff" />
          <path d={qrPath(code, margin)} fill="#000" />
        </svg>
      )}
      <p>{t('consult.text')}</p>
      <a href={`mailto:${email}`}>{email}</a>
    </div>
  )
}

/** Consultation button with its QR code: by hover where there is a mouse, by click everywhere (spec 2.6). */
export function Consult() {
  const { t } = useTranslation()
  const id = useId()
  const place = useCorner('consult')
  const [open, setOpen] = useState(false)
  const [wrapper, setWrapper] = useState<HTMLDivElement | null>(null)
  const button = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    if (!wrapper) return undefined
    let cancel = (): void => undefined
    const enter = (event: PointerEvent): void => {
      cancel()
      if (event.pointerType === 'mouse') setOpen(true)
    }
    const leave = (event: PointerEvent): void => {
      if (event.pointerType === 'mouse') cancel = browserClock.after(crossing, () => setOpen(false))
    }
    const focusOut = (event: FocusEvent): void => {
      if (event.relatedTarget instanceof Node && !wrapper.contains(event.relatedTarget))
        setOpen(false)
    }
    const click = (event: MouseEvent): void => {
      if (event.target instanceof Node && !wrapper.contains(event.target)) setOpen(false)
    }
    const key = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return
      if (wrapper.contains(document.activeElement)) button.current?.focus()
      setOpen(false)
    }
    wrapper.addEventListener('pointerenter', enter)
    wrapper.addEventListener('pointerleave', leave)
    wrapper.addEventListener('focusout', focusOut)
    document.addEventListener('click', click)
    document.addEventListener('keydown', key)
    return () => {
      cancel()
      wrapper.removeEventListener('pointerenter', enter)
      wrapper.removeEventListener('pointerleave', leave)
      wrapper.removeEventListener('focusout', focusOut)
      document.removeEventListener('click', click)
      document.removeEventListener('keydown', key)
    }
  }, [wrapper])

  return (
    <div ref={setWrapper}>
      <div ref={place} className={corner['place']} data-shell="consult">
        <button
          ref={button}
          type="button"
          className={`${corner['button']} ${s['button']}`}
          aria-haspopup="dialog"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          // A mouse has opened it by coming: its click keeps it open.
          onClick={(event) =>
            setOpen(
              (before) =>
                (event.nativeEvent instanceof PointerEvent &&
                  event.nativeEvent.pointerType === 'mouse') ||
                !before,
            )
          }
        >
          {t('consult.short')}
        </button>
      </div>
      {open && <Popup id={id} />}
    </div>
  )
}
