import type { SidebarSection } from '../../../shared/page-data'
import { usePage } from '../../view-context'
import { TitleWithLanguage } from '../TitleWithLanguage'
import { Icon } from '../Icon'
import { useTexts } from '../../use-texts'
import s from './Sidebar.module.css'

/**
 * All pages of the documentation in order. On a phone, the `details` element before it opens it.
 */
export function Sidebar({ sections }: { sections: readonly SidebarSection[] }) {
  const t = useTexts('article')
  const { path } = usePage()
  return (
    <div className={s['sidebar']}>
      <details className={s['toggle']}>
        <summary data-track="article-sections">
          {t('sections')}
          <Icon name="chevron-down" size={20} />
        </summary>
      </details>
      <nav className={s['list']} aria-label={t('sections')}>
        {sections.map((section) => (
          <div key={section.label} className={s['section']}>
            <p className={s['title']}>{section.label}</p>
            <ul className="short">
              {section.items.map((item) => (
                <li key={item.href}>
                  <a
                    data-track="article-section"
                    href={item.href}
                    aria-current={item.href === path ? 'page' : undefined}
                  >
                    <TitleWithLanguage text={item.title} foreign={item.foreign} mark={item.mark} />
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
    </div>
  )
}
