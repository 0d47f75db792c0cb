import { TitleWithLanguage } from '../components/TitleWithLanguage'
import { PageHeader } from '../components/PageHeader'
import { Section } from '../components/Section'
import type { PageProps } from '../pages'
import { useTexts } from '../use-texts'
import s from './Links.module.css'

/** All pages of the site on one page. */
export function Page({ data }: PageProps<'links'>) {
  const t = useTexts('links')
  return (
    <>
      <PageHeader title={t('title')} lead={t('intro')} />
      {data.groups
        .filter((group) => group.items.length > 0)
        .map((group) => (
          <Section key={group.key} id={group.key} title={t(`groups.${group.key}`)}>
            <ul className={`short ${s['links']}`}>
              {group.items.map((item) => (
                <li key={item.href}>
                  <a data-track="list-link" href={item.href}>
                    <TitleWithLanguage text={item.title} foreign={item.foreign} />
                  </a>
                </li>
              ))}
            </ul>
          </Section>
        ))}
    </>
  )
}
