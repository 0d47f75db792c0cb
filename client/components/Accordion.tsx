import type { ReactNode } from 'react'
import type { ExposeKey, TrackKey } from '../../shared/tracking-keys'
import { Icon } from './Icon'
import s from './Accordion.module.css'

type AccordionProps = {
  items: ReadonlyArray<{ title: string; content: ReactNode }>
  headingLevel: 2 | 3
  /** Key of the list when it is seen. */
  expose: ExposeKey
  /** Key of a section when it is opened or closed. */
  track: TrackKey
  lang?: string | undefined
}

/**
 * Collapsible sections, the first one open. They are `details` elements, so the browser's page
 * search finds collapsed text. Print shows all of them.
 */
export function Accordion({ items, headingLevel, expose, track, lang }: AccordionProps) {
  const Heading = `h${headingLevel}` as const
  return (
    <div className={s['accordion']} lang={lang} data-expose={expose}>
      {items.map((item, index) => (
        <details key={item.title} className={s['item']} open={index === 0}>
          <summary className={s['summary']} data-track={track}>
            <Heading className={s['title']}>{item.title}</Heading>
            <Icon name="chevron-down" size={20} className={s['chevron']} />
          </summary>
          <div className={s['content']}>{item.content}</div>
        </details>
      ))}
    </div>
  )
}
