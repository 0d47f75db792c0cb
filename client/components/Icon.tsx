import { type IconName, viewBoxOf } from '../icons/names'
import { useScope } from '../view-context'

/** An icon of the sprite. It is decorative: the text beside it carries the meaning. */
export function Icon({
  name,
  size = 24,
  className,
}: {
  name: IconName
  size?: number
  className?: string | undefined
}) {
  const { asset } = useScope()
  return (
    <svg
      className={className}
      width={size}
      height={size}
      viewBox={viewBoxOf(name)}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <use href={`${asset('sprite.svg')}#${name}`} />
    </svg>
  )
}
