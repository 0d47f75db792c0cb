import { useTranslation } from 'react-i18next'
import { switchLocale } from '../../shared/routes/availability'
import { href } from '../../shared/routes/href'
import { alternativeIds } from '../../shared/routes/nav'
import { Actions, ButtonLink } from '../components/ButtonLink'
import { CallToAction } from '../components/landing/CallToAction'
import { CardList } from '../components/CardList'
import { PlainList } from '../components/PlainList'
import { PointList } from '../components/landing/PointList'
import { isInTour, ProductTour } from '../components/landing/ProductTour'
import { ProductWindow } from '../components/pictures/ProductWindow'
import { ProfilePicture } from '../components/pictures/ProfilePicture'
import { Questions } from '../components/landing/Questions'
import { Section } from '../components/Section'
import { Tag } from '../components/Tag'
import type { PageProps } from '../pages'
import { usePage } from '../view-context'
import s from './Home.module.css'

/** The rest is one click away: a first page should not be a catalogue. */
const shownSolutions = 9

export function Page({ data }: PageProps<'home'>) {
  const { t } = useTranslation('home')
  const { t: shell } = useTranslation()
  const { locale, site } = usePage()
  const overview = switchLocale({ route: 'solutions', params: {} }, locale)
  const compared = alternativeIds.flatMap((id) => {
    const page = switchLocale({ route: 'alternative', params: { id } }, locale)
    return page
      ? [{ href: href(locale, page.route, page.params), name: shell(`alternatives.${id}`) }]
      : []
  })
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
          <div className={s['window']}>
            <ProductWindow texts={t('window', { returnObjects: true })} />
          </div>
          <div className={s['profile']}>
            <ProfilePicture
              name={t('window.names.shop')}
              texts={t('window.profile', { returnObjects: true })}
            />
          </div>
        </div>
      </div>
      <Section id="idea" title={t('idea.title')} text={t('idea.text')}>
        <PointList items={t('idea.items', { returnObjects: true })} />
      </Section>
      {data.features.length > 0 && (
        <Section id="features" title={t('features.title')} text={t('features.text')} tinted>
          <ProductTour features={data.features} />
          <CardList
            items={data.features.filter(({ id }) => !isInTour(id))}
            locale={locale}
            headingLevel={3}
            icons
            wide
          />
        </Section>
      )}
      <Section id="steps" title={t('steps.title')}>
        <PointList items={t('steps.items', { returnObjects: true })} ordered />
      </Section>
      {data.solutions.length > 0 && (
        <Section
          id="solutions"
          title={t('solutions.title')}
          text={t('solutions.text')}
          more={
            overview ? { href: href(locale, overview.route), text: t('solutions.all') } : undefined
          }
        >
          <CardList
            items={data.solutions.slice(0, shownSolutions)}
            locale={locale}
            headingLevel={3}
            icons
            brief
          />
        </Section>
      )}
      {data.industries.length > 0 && (
        <Section id="industries" title={t('industries.title')}>
          <CardList items={data.industries} locale={locale} headingLevel={3} icons brief />
        </Section>
      )}
      {compared.length > 0 && (
        <Section id="compare" split title={t('compare.title')} text={t('compare.text')}>
          <ul className={s['compared']}>
            {compared.map((item) => (
              <li key={item.href}>
                <Tag text={item.name} href={item.href} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section id="limits" title={t('limits.title')} split tinted>
        <PlainList items={t('limits.items', { returnObjects: true })} />
      </Section>
      <Section
        id="questions"
        split
        title={t('questions.title')}
        more={{ href: href(locale, 'faq'), text: t('questions.all') }}
      >
        <Questions items={t('questions.items', { returnObjects: true })} headingLevel={3} />
      </Section>
      {data.posts.length > 0 && (
        <Section
          id="posts"
          title={t('posts.title')}
          more={{ href: href(locale, 'blog'), text: t('posts.all') }}
        >
          <CardList items={data.posts} locale={locale} headingLevel={3} />
        </Section>
      )}
      <CallToAction />
    </>
  )
}
