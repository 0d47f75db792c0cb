import { StatTile } from './StatTile'
import s from './StatTile.module.css'

/** Several numbers of a period. */
export function StatTiles({
  tiles,
}: {
  tiles: ReadonlyArray<{ name: string; now: number; before: number }>
}) {
  return (
    <dl className={s['tiles']}>
      {tiles.map((tile) => (
        <StatTile key={tile.name} {...tile} />
      ))}
    </dl>
  )
}
