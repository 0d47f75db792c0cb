import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { Article } from '../../../shared/page-data'
import { browserStorage } from '../../platform/browser-storage'
import { startPageKeys } from './page-keys'
import s from './DocFoot.module.css'
import { Helpful } from './Helpful'

/** What stands under a page of a documentation: whether it helped, and where it can be mended. */
export function DocFoot({ article }: { article: Article }) {
  const { t } = useTranslation('docs')
  useEffect(() => startPageKeys({ page: document, storage: browserStorage() }), [])
  return (
    <div className={s['foot']}>
      {/* Another page asks anew. */}
      <Helpful key={`${article.collection}/${article.id}`} />
      {article.edit && (
        <a
          className={`${s['edit']} no-print`}
          href={article.edit}
          rel="nofollow noopener"
          data-action="edit"
        >
          {t('edit')}
        </a>
      )}
    </div>
  )
}
