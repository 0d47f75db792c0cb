import { usePage } from '../view-context'
import s from './Breadcrumb.module.css'
import { EllipsisText } from './EllipsisText'
import { useTexts } from '../use-texts'

export type Crumb = { href: string; text: string }
type Props = {
  /** Steps between the parent page and this one, such as the category of an article. */
  crumbs?: readonly Crumb[]
  /** Title of the page, for pages that no menu names. */
  current: string
  /** Language of `current` where it is not the page's. */
  lang?: string | undefined
}

/** The path from the home page: its parent by the route table, then `crumbs`, then the page. */
export function Breadcrumb({ crumbs = [], current, lang }: Props) {
  const t = useTexts('shell')
  const { above, name } = usePage().breadcrumb
  return (
    <nav className={s['breadcrumb']} aria-label={t('breadcrumb')}>
      <ol>
        {[...above, ...crumbs].map((step) => (
          <li key={step.href}>
            <a data-track="page-breadcrumb" href={step.href}>
              {step.text}
            </a>
          </li>
        ))}
        <li className={s['current']} lang={name === null ? lang : undefined} aria-current="page">
          <EllipsisText text={name ?? current} />
        </li>
      </ol>
    </nav>
  )
}
