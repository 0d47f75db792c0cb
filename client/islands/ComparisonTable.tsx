import { insertNoBreakSpaces } from '../../shared/i18n/insert-no-break-spaces'
import { formatDay } from '../../shared/i18n/format-day'
import type { LocaleCode } from '../../shared/i18n/locales'
import type { Comparison } from '../../shared/page-data'
import s from '../components/landing/ComparisonTable.module.css'
import tables from '../components/landing/LandingTable.module.css'
import type { IslandProps } from './island-props'
import { useTexts } from '../use-texts'

type Row = Comparison['rows'][number]

/**
 * A statement about the other product, with the page that it comes from and the day it was read.
 */
function Statement({
  theirs,
  lang,
  locale,
}: {
  theirs: NonNullable<Row['theirs']>
  lang: string | undefined
  locale: LocaleCode
}) {
  const t = useTexts('landing')
  return (
    <>
      <span lang={lang}>{theirs.text}</span>
      <small className={tables['source']}>
        <a data-track="comparison-source" href={theirs.source} rel="nofollow noopener">
          {t('comparison.source')}
        </a>
        <time dateTime={theirs.checked}>
          {t('comparison.checked', {
            date: insertNoBreakSpaces(formatDay(theirs.checked, locale)),
          })}
        </time>
      </small>
    </>
  )
}

/**
 * Compares the product with another one. The other product has a column only for rows with a
 * statement from its maker's public pages; the remaining rows are a table about the product alone.
 */
export function ComparisonTable({ data, locale, brand }: IslandProps<Comparison>) {
  const t = useTexts('landing')
  const { rows, product } = data
  const lang = data.foreign?.lang
  const table = (tableRows: readonly Row[], columns: readonly string[], caption: string) => (
    <table className={`${tables['table']} ${s['columns']}`} data-expose="comparison-table">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{t('comparison.feature')}</th>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {tableRows.map((row) => (
          <tr key={row.feature}>
            <th scope="row" lang={lang}>
              {row.feature}
            </th>
            <td data-column={brand} lang={lang}>
              {row.ours}
            </td>
            {row.theirs && (
              <td data-column={product}>
                <Statement theirs={row.theirs} lang={lang} locale={locale} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
  const compared = rows.filter(({ theirs }) => theirs)
  const others = rows.filter(({ theirs }) => !theirs)
  return (
    <>
      {compared.length > 0 &&
        table(compared, [brand, product], t('comparison.caption', { product }))}
      {others.length > 0 && table(others, [brand], brand)}
    </>
  )
}
