import { useTranslation } from 'react-i18next'
import { ForeignText } from '../components/article/ForeignText'
import { PageHead } from '../components/PageHead'
import { Section } from '../components/Section'
import type { PageProps } from '../pages'
import s from './Links.module.css'

/** Everything on the site, for people who would rather see the whole list. */
export function Page({ data }: PageProps<'links'>) {
  const { t } = useTranslation('links')
  return (
    <>
      <PageHead title={t('title')} lead={t('intro')} />
      {data.groups
        .filter((group) => group.items.length > 0)
        .map((group) => (
          <Section key={group.key} id={group.key} title={t(`groups.${group.key}`)}>
            <ul className={`short ${s['links']}`}>
              {group.items.map((item) => (
                <li key={item.href}>
                  <a href={item.href}>
                    <ForeignText text={item.title} foreign={item.foreign} />
                  </a>
                </li>
              ))}
            </ul>
          </Section>
        ))}
    </>
  )
}
