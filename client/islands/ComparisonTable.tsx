import { useTranslation } from 'react-i18next'
import type { Comparison } from '../../shared/page-data'
import { langAttribute } from '../components/TitleWithLanguage'
import { LocalDate } from '../components/LocalDate'
import s from '../components/landing/ComparisonTable.module.css'
import type { IslandProps } from './island-props'

/**
 * Compares the product with another one. Each statement about the other product has a source and a
 * date, or is marked as not verified.
 */
export function ComparisonTable({ data, locale, brand }: IslandProps<Comparison>) {
  const { t } = useTranslation('landing')
  const { rows, product } = data
  const lang = langAttribute(data.foreign)
  return (
    <table className={s['table']}>
      <caption className="sr-only">{t('comparison.caption', { product })}</caption>
      <thead>
        <tr>
          <th scope="col">{t('comparison.feature')}</th>
          <th scope="col">{brand}</th>
          <th scope="col">{product}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.feature}>
            <th scope="row" lang={lang}>
              {row.feature}
            </th>
            <td data-column={brand} lang={lang}>
              {row.ours}
            </td>
            <td data-column={product}>
              {row.theirs ? (
                <>
                  <span lang={lang}>{row.theirs.text}</span>
                  <small className={s['source']}>
                    <a href={row.theirs.source} rel="nofollow noopener">
                      {t('comparison.source')}
                    </a>
                    <LocalDate
                      day={row.theirs.checked}
                      locale={locale}
                      text={(date) => t('comparison.checked', { date })}
                    />
                  </small>
                </>
              ) : (
                <span className={s['unverified']}>{t('notVerified')}</span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
