import { useId } from 'react'
import { useContactTarget } from '../components/use-contact-target'
import s from './ConsultButton.module.css'
import { drawQrCode } from './draw-qr-code'
import floating from './FloatingButton.module.css'
import { useFloating } from './use-floating'
import { useHoverPopup } from './use-hover-popup'
import { useTexts } from '../use-texts'

function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = drawQrCode(text)
  return (
    <svg
      className={s['code']}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={`M0 0h${size}v${size}H0z`} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

function Popup({ id }: { id: string }) {
  const t = useTexts('shell')
  const floatingRef = useFloating('consult-popup')
  const target = useContactTarget()('email')
  return (
    <div
      ref={floatingRef}
      id={id}
      className={s['popup']}
      data-shell="consult-popup"
      role="dialog"
      aria-label={t('consult.title')}
    >
      <QrCode text={target.href} label={t('consult.code', { email: target.text })} />
      <p>{t('consult.text')}</p>
      <a data-track="contact-mail" href={target.href}>
        {target.text}
      </a>
    </div>
  )
}

/** Opens a popup with a QR code of the contact address, or of the contact page (spec 7.1). */
export function ConsultButton() {
  const t = useTexts('shell')
  const id = useId()
  const floatingRef = useFloating('consult')
  const { isOpen, rootRef, buttonRef, onButtonClick } = useHoverPopup()
  return (
    <div ref={rootRef}>
      <div ref={floatingRef} className={floating['container']} data-shell="consult">
        <button
          ref={buttonRef}
          type="button"
          className={`${floating['button']} ${s['button']}`}
          data-track="contact-consult"
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={onButtonClick}
        >
          {t('consult.short')}
        </button>
      </div>
      {isOpen && <Popup id={id} />}
    </div>
  )
}
