import type { ReactNode } from 'react'
import { Icon } from './Icon'
import s from './Accordion.module.css'

type AccordionProps = {
  items: ReadonlyArray<{ title: string; content: ReactNode }>
  headingLevel: 2 | 3
  lang?: string | undefined
}

/**
 * Collapsible sections, the first one open. They are `details` elements, so the browser's page
 * search finds collapsed text. Print shows all of them.
 */
export function Accordion({ items, headingLevel, lang }: AccordionProps) {
  const Heading = `h${headingLevel}` as const
  return (
    <div className={s['accordion']} lang={lang}>
      {items.map((item, index) => (
        <details key={item.title} className={s['item']} open={index === 0}>
          <summary className={s['summary']}>
            <Heading className={s['title']}>{item.title}</Heading>
            <Icon name="chevron-down" size={20} className={s['chevron']} />
          </summary>
          <div className={s['content']}>{item.content}</div>
        </details>
      ))}
    </div>
  )
}
