import { coverUses } from '../../../shared/images'
import type { Cover as CoverFacts } from '../../../shared/page-data'
import { Picture } from './Picture'
import s from './Cover.module.css'

/** Cover picture of an article: at the top of its page or on its card. */
export function Cover({
  cover,
  variant,
  priority = false,
}: {
  cover: CoverFacts
  variant: 'head' | 'card'
  priority?: boolean
}) {
  return variant === 'head' ? (
    <Picture
      picture={cover}
      alt={cover.alt}
      {...coverUses.head}
      sizes="(max-width: 767px) 92vw, 720px"
      priority={priority}
      className={s['head']}
    />
  ) : (
    // Empty `alt`: the card's link already has a text, so screen readers need no second one.
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
