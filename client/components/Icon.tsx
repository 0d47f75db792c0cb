import { useContext } from 'react'
import { type IconName, viewBoxOf } from '../icons/names'
import { AssetContext } from '../view-context'

/**
 * An icon of the sprite, whose symbols have stroke and fill. It is decorative: the text beside it
 * carries the meaning.
 */
export function Icon({
  name,
  size = 24,
  className,
}: {
  name: IconName
  size?: number
  className?: string | undefined
}) {
  const asset = useContext(AssetContext)
  return (
    <svg
      className={className}
      width={size}
      height={size}
      viewBox={viewBoxOf(name)}
      aria-hidden="true"
    >
      <use href={`${asset('sprite.svg')}#${name}`} />
    </svg>
  )
}
