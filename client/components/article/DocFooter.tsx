import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { Article } from '../../../shared/page-data'
import { localStorageOrNull } from '../../platform/browser-storage'
import { startPageKeys } from './page-keys'
import s from './DocFooter.module.css'
import { PageFeedback } from './PageFeedback'

/** Below a documentation page: the feedback form and the link to edit the page. */
export function DocFooter({ article }: { article: Article }) {
  const { t } = useTranslation('docs')
  useEffect(() => startPageKeys({ document, storage: localStorageOrNull() }), [])
  return (
    <div className={s['foot']}>
      {/* The key resets the form when the visitor navigates to another page. */}
      <PageFeedback key={`${article.collection}/${article.id}`} />
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
