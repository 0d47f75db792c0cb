import { switchLocale } from '../../shared/routes/availability'
import { href } from '../../shared/routes/href'
import { BulletList } from '../components/BulletList'
import { Actions, ButtonLink } from '../components/ButtonLink'
import { CardList } from '../components/CardList'
import { CallToAction } from '../components/landing/CallToAction'
import { PointList } from '../components/landing/PointList'
import { isInTour, ProductTour } from '../components/landing/ProductTour'
import { Questions } from '../components/landing/Questions'
import { ProductWindow } from '../components/pictures/ProductWindow'
import { ProfilePicture } from '../components/pictures/ProfilePicture'
import { Section } from '../components/Section'
import { Tag } from '../components/Tag'
import type { PageProps } from '../pages'
import { usePage } from '../view-context'
import { useTexts } from '../use-texts'
import s from './Home.module.css'

type Cards = PageProps<'home'>['data']['features']

function Hero() {
  const t = useTexts('home')
  const shell = useTexts('shell')
  const { locale, site } = usePage()
  return (
    <div className={`wrap ${s['hero']}`}>
      <div className={s['text']}>
        <h1 className={s['title']}>{t('hero.title')}</h1>
        <p className={s['lead']}>{t('hero.lead')}</p>
        <Actions>
          <ButtonLink
            href={site.registerUrl}
            track="hero-register"
            variant="primary"
            action="register"
          >
            {shell('call.register')}
          </ButtonLink>
          <ButtonLink href={href(locale, 'download')} track="hero-download">
            {t('hero.download')}
          </ButtonLink>
        </Actions>
        <p className={s['note']}>{t('hero.note')}</p>
      </div>
      <div className={s['illustration']}>
        <div className={s['window']}>
          <ProductWindow texts={t('window', { returnObjects: true })} starts="shop" />
        </div>
        <div className={s['profile']}>
          <ProfilePicture
            name={t('window.names.shop')}
            texts={t('window.profile', { returnObjects: true })}
          />
        </div>
      </div>
    </div>
  )
}

function Features({ features }: { features: Cards }) {
  const t = useTexts('home')
  if (features.length === 0) return null
  return (
    <Section id="features" title={t('features.title')} text={t('features.text')} tinted>
      <ProductTour features={features} />
      <CardList
        items={features.filter(({ id }) => !isInTour(id))}
        track="cards-features"
        headingLevel={3}
        icons
        wide
      />
    </Section>
  )
}

function Solutions({ solutions }: { solutions: Cards }) {
  const t = useTexts('home')
  const { locale } = usePage()
  if (solutions.length === 0) return null
  const list = switchLocale({ route: 'solutions', params: {} }, locale)
  return (
    <Section
      id="solutions"
      title={t('solutions.title')}
      text={t('solutions.text')}
      moreLink={
        list
          ? { href: href(locale, list.route), text: t('solutions.all'), track: 'section-solutions' }
          : undefined
      }
    >
      <CardList items={solutions} track="cards-solutions" headingLevel={3} icons brief />
    </Section>
  )
}

function Comparisons({ comparisons }: Pick<PageProps<'home'>['data'], 'comparisons'>) {
  const t = useTexts('home')
  if (comparisons.length === 0) return null
  return (
    <Section id="compare" split title={t('compare.title')} text={t('compare.text')}>
      <ul className={s['comparisons']}>
        {comparisons.map(({ href: link, product }) => (
          <li key={link}>
            <Tag text={product} href={link} track="comparison-product" />
          </li>
        ))}
      </ul>
    </Section>
  )
}

export function Page({ data }: PageProps<'home'>) {
  const t = useTexts('home')
  const { locale } = usePage()
  return (
    <>
      <Hero />
      <Section id="idea" title={t('idea.title')} text={t('idea.text')}>
        <PointList items={t('idea.items', { returnObjects: true })} />
      </Section>
      <Features features={data.features} />
      <Section id="steps" title={t('steps.title')}>
        <PointList items={t('steps.items', { returnObjects: true })} ordered />
      </Section>
      <Solutions solutions={data.solutions} />
      {data.industries.length > 0 && (
        <Section id="industries" title={t('industries.title')}>
          <CardList items={data.industries} track="cards-industries" headingLevel={3} icons brief />
        </Section>
      )}
      <Comparisons comparisons={data.comparisons} />
      <Section id="limits" title={t('limits.title')} split tinted>
        <BulletList items={t('limits.items', { returnObjects: true })} />
      </Section>
      <Section
        id="questions"
        split
        title={t('questions.title')}
        moreLink={{ href: href(locale, 'faq'), text: t('questions.all'), track: 'section-faq' }}
      >
        <Questions items={t('questions.items', { returnObjects: true })} headingLevel={3} />
      </Section>
      {data.posts.length > 0 && (
        <Section
          id="posts"
          title={t('posts.title')}
          moreLink={{ href: href(locale, 'blog'), text: t('posts.all'), track: 'section-blog' }}
        >
          <CardList items={data.posts} track="cards-posts" headingLevel={3} />
        </Section>
      )}
      <CallToAction />
    </>
  )
}
