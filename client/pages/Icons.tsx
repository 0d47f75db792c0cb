import { href } from '../../shared/routes/href'
import { CopyButton } from '../components/CopyButton'
import { Icon } from '../components/Icon'
import { iconNames, viewBoxOf } from '../icons/names'
import { usePage } from '../view-context'
import { useTexts } from '../use-texts'
import s from './Icons.module.css'

/** All icons of the sprite, for authors: a click on an icon copies its name. */
export function Page() {
  const t = useTexts('icons')
  const { locale } = usePage()
  return (
    <main id="main" className={`wrap ${s['page']}`}>
      <p>
        <a data-track="page-home" href={href(locale, 'home')}>
          {t('home')}
        </a>
      </p>
      <h1>{t('title')}</h1>
      <p className={s['intro']}>{t('intro', { count: iconNames.length })}</p>
      <ul className={s['grid']} aria-label={t('caption')}>
        {iconNames.map((name) => (
          <li key={name} id={`icon-${name}`} className={s['cell']}>
            <Icon name={name} size={40} />
            <CopyButton
              text={name}
              track="page-icon"
              label={t('copy', { name })}
              copiedText={t('copied', { name })}
              className={s['name']}
            >
              <code>{name}</code>
            </CopyButton>
            <span className={s['viewBox']}>
              <span className="sr-only">{t('viewBox')} </span>
              {viewBoxOf(name)}
            </span>
          </li>
        ))}
      </ul>
    </main>
  )
}
