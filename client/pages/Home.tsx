import { useTranslation } from 'react-i18next'
import { switchLocale } from '../../shared/routes/availability'
import { href } from '../../shared/routes/href'
import { Actions, ButtonLink } from '../components/ButtonLink'
import { CallToAction } from '../components/CallToAction'
import { CardList } from '../components/CardList'
import { PlainList } from '../components/PlainList'
import { PointList } from '../components/PointList'
import { ProductWindow } from '../components/ProductWindow'
import { Section } from '../components/Section'
import type { PageProps } from '../pages'
import { usePage } from '../view-context'
import s from './Home.module.css'

/** The rest is one click away: a first page should not be a catalogue. */
const shownSolutions = 8

export function Page({ data }: PageProps<'home'>) {
  const { t } = useTranslation('home')
  const { t: shell } = useTranslation()
  const { locale, site } = usePage()
  const overview = switchLocale({ route: 'solutions', params: {} }, locale)
  return (
    <>
      <div className={`wrap ${s['hero']}`}>
        <div className={s['words']}>
          <h1 className={s['title']}>{t('hero.title')}</h1>
          <p className={s['lead']}>{t('hero.lead')}</p>
          <Actions>
            <ButtonLink href={site.registerUrl} look="main" action="register">
              {shell('call.register')}
            </ButtonLink>
            <ButtonLink href={href(locale, 'download')}>{t('hero.download')}</ButtonLink>
          </Actions>
          <p className={s['note']}>{t('hero.note')}</p>
        </div>
        <div className={s['picture']}>
          <ProductWindow texts={t('window', { returnObjects: true })} />
        </div>
      </div>
      <Section id="idea" title={t('idea.title')} text={t('idea.text')}>
        <PointList items={t('idea.items', { returnObjects: true })} />
      </Section>
      {data.features.length > 0 && (
        <Section id="features" title={t('features.title')} text={t('features.text')} tinted>
          <CardList items={data.features} locale={locale} headingLevel={3} icons />
        </Section>
      )}
      <Section id="steps" title={t('steps.title')}>
        <PointList items={t('steps.items', { returnObjects: true })} ordered />
      </Section>
      {data.solutions.length > 0 && (
        <Section id="solutions" title={t('solutions.title')} text={t('solutions.text')} more={overview ? { href: href(locale, overview.route), text: t('solutions.all') } : undefined}>
          <CardList items={data.solutions.slice(0, shownSolutions)} locale={locale} headingLevel={3} icons brief />
        </Section>
      )}
      {data.industries.length > 0 && (
        <Section id="industries" title={t('industries.title')}>
          <CardList items={data.industries} locale={locale} headingLevel={3} icons brief />
        </Section>
      )}
      <Section id="limits" title={t('limits.title')} tinted>
        <PlainList items={t('limits.items', { returnObjects: true })} />
      </Section>
      {data.posts.length > 0 && (
        <Section id="posts" title={t('posts.title')} more={{ href: href(locale, 'blog'), text: t('posts.all') }}>
          <CardList items={data.posts} locale={locale} headingLevel={3} />
        </Section>
      )}
      <CallToAction />
    </>
  )
}
