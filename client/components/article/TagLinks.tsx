import type { Labeled } from '../../../shared/page-data'
import { usePage } from '../../view-context'
import { locales } from '../../../shared/i18n/locales'
import { Tag } from '../Tag'
import { useTexts } from '../../use-texts'
import s from './TagLinks.module.css'

/**
 * Tags of an article, as links where a list of the tag exists. They are in the page's language even
 * if the article is not.
 */
export function TagLinks({ tags }: { tags: readonly Labeled[] }) {
  const t = useTexts('article')
  const { locale } = usePage()
  if (tags.length === 0) return null
  return (
    <ul className={s['tags']} aria-label={t('tags')} lang={locales[locale].language}>
      {tags.map((tag) => (
        <li key={tag.id}>
          <Tag text={tag.label} href={tag.href} track="article-tag" />
        </li>
      ))}
    </ul>
  )
}
