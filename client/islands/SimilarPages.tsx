import type { Card } from '../../shared/page-data'
import { TitleWithLanguage } from '../components/TitleWithLanguage'
import type { IslandProps } from './island-props'
import { useTexts } from '../use-texts'
import s from './SimilarPages.module.css'

/** Pages with a URL similar to one that is missing. */
export function SimilarPages({ data }: IslandProps<readonly Card[]>) {
  const t = useTexts('errors')
  if (data.length === 0) return null
  return (
    <nav aria-labelledby="nearest" data-shell="nearest">
      <h2 id="nearest" className={s['heading']}>
        {t('nearest')}
      </h2>
      <ul className={s['links']}>
        {data.map((page) => (
          <li key={page.href}>
            <a data-track="error-nearest" href={page.href}>
              <TitleWithLanguage text={page.title} foreign={page.foreign} mark={page.mark} />
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
