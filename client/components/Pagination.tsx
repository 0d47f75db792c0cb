import type { Pagination as PaginationData } from '../../shared/page-data'
import { Icon } from './Icon'
import { useTexts } from '../use-texts'
import s from './Pagination.module.css'

/** Page 1 is the URL without a query (spec 5.6). */
const pageHref = (base: string, page: number): string => (page > 1 ? `${base}?page=${page}` : base)

/** Numbers of the first, the last, the current and the adjacent pages; 0 marks a gap. */
function numbersAround(page: number, pages: number): number[] {
  const shown = [...new Set([1, page - 1, page, page + 1, pages])].filter(
    (number) => number >= 1 && number <= pages,
  )
  return shown.flatMap((number, index) =>
    number - (shown[index - 1] ?? 0) > 1 ? [0, number] : [number],
  )
}

export function Pagination({ pagination }: { pagination: PaginationData }) {
  const t = useTexts('lists')
  const { page, pages, base } = pagination
  if (pages < 2) return null
  return (
    <nav className={s['pagination']} aria-label={t('pages')}>
      {page > 1 && (
        <a
          className={s['step']}
          data-track="list-previous"
          href={pageHref(base, page - 1)}
          rel="prev"
        >
          <Icon name="arrow-left" size={18} />
          {t('previous')}
        </a>
      )}
      <ol>
        {numbersAround(page, pages).map((number, index) => (
          <li key={number || `gap-${index}`}>
            {number === 0 ? (
              <span aria-hidden="true">…</span>
            ) : (
              <a
                data-track="list-page"
                href={pageHref(base, number)}
                aria-label={t('pageNumber', { page: number })}
                aria-current={number === page ? 'page' : undefined}
              >
                {number}
              </a>
            )}
          </li>
        ))}
      </ol>
      {page < pages && (
        <a className={s['step']} data-track="list-next" href={pageHref(base, page + 1)} rel="next">
          {t('next')}
          <Icon name="arrow-right" size={18} />
        </a>
      )}
    </nav>
  )
}
