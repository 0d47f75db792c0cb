import { absoluteUrl } from '../../../shared/routes/href'
import { usePage } from '../../view-context'
import { CopyButton } from '../CopyButton'
import { Icon } from '../Icon'
import { useTexts } from '../../use-texts'
import s from './ShareLinks.module.css'

/** Shares an article by e-mail or by copying its URL, without any third party. */
export function ShareLinks({ title }: { title: string }) {
  const t = useTexts('article')
  const { origins, locale, path } = usePage()
  const url = absoluteUrl(origins, locale, path)
  // A mail has plain spaces: `insertNoBreakSpaces` has put these characters into the title.
  const plainTitle = title.replace(/[\u2060\u200b]/g, '').replaceAll('\u00a0', ' ')
  return (
    <section className={s['share']} aria-labelledby="share-title">
      <h2 className={s['title']} id="share-title">
        {t('share.title')}
      </h2>
      <a
        className={s['link']}
        data-track="article-mail"
        href={`mailto:?subject=${encodeURIComponent(plainTitle)}&body=${encodeURIComponent(url)}`}
      >
        <Icon name="mail" size={18} />
        {t('share.mail')}
      </a>
      <CopyButton
        text={url}
        track="article-share"
        label={t('share.copy')}
        copiedText={t('share.copied')}
        className={s['link']}
      >
        {t('share.copy')}
      </CopyButton>
    </section>
  )
}
