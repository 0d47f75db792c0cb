import { useEffect } from 'react'
import type { Article } from '../../../shared/page-data'
import { localStorageOrNull } from '../../platform/browser-storage'
import { usePage } from '../../view-context'
import { CopyButton } from '../CopyButton'
import { startPageKeys } from './page-keys'
import s from './DocFooter.module.css'
import { PageFeedback } from './PageFeedback'
import { useTexts } from '../../use-texts'

/** Below a documentation page: the feedback form, its Markdown, and the link to edit it. */
export function DocFooter({ article }: { article: Article }) {
  const t = useTexts('docs')
  const { path } = usePage()
  useEffect(() => startPageKeys({ document, storage: localStorageOrNull() }), [])
  return (
    <div className={s['foot']}>
      <PageFeedback />
      <CopyButton
        source={`${path}.md`}
        label={t('copyPage')}
        copiedText={t('pageCopied')}
        track="article-markdown"
      >
        {t('copyPage')}
      </CopyButton>
      {article.edit && (
        <a
          className={`${s['edit']} no-print`}
          data-track="article-edit"
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
