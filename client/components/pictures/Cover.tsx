import { coverUses } from '../../../shared/images'
import type { Cover as CoverFacts } from '../../../shared/page-data'
import { Picture } from './Picture'
import s from './Cover.module.css'

/** Picture of an article: at its head, where it is the first thing seen, or on a card. */
export function Cover({
  cover,
  place,
  priority = false,
}: {
  cover: CoverFacts
  place: 'head' | 'card'
  priority?: boolean
}) {
  return place === 'head' ? (
    <Picture
      picture={cover}
      alt={cover.alt}
      {...coverUses.head}
      sizes="(max-width: 767px) 92vw, 720px"
      priority={priority}
      className={s['head']}
    />
  ) : (
    // The card's link says where it leads; its picture adds nothing to be read out twice.
    <Picture
      picture={cover}
      alt=""
      {...coverUses.card}
      sizes="(max-width: 767px) 92vw, 400px"
      priority={priority}
      className={s['card']}
    />
  )
}
