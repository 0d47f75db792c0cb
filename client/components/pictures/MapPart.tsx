import type { PicturePart } from '../../../shared/landing-schemas'
import { landRows, rowStepDegrees } from './land-rows'
import s from './LandingPicture.module.css'

/** The map shows latitudes from 75° north to 60° south, one unit for one degree. */
const northernmost = 75
const toX = (longitude: number): number => longitude + 180
const toY = (latitude: number): number => northernmost - latitude

/** Land as rows of dots: each stretch of land is one dashed line with round ends. */
const landPath = landRows
  .flatMap(([latitude, stretches]) =>
    stretches.map(([from, to]) => `M${toX(from)} ${toY(latitude)}H${toX(to) + 0.1}`),
  )
  .join('')

/** A map of the world with numbered places, and their names below. */
export function MapPart({ places }: Extract<PicturePart, { kind: 'map' }>) {
  return (
    <>
      <svg className={s['map']} viewBox="0 0 360 135" aria-hidden="true">
        <path d={landPath} className={s['land']} strokeDasharray={`0 ${rowStepDegrees}`} />
        {places.map((place, index) => (
          <g key={place.name} className={s['pin']}>
            <circle cx={toX(place.longitude)} cy={toY(place.latitude)} r="8" />
            <text x={toX(place.longitude)} y={toY(place.latitude) + 3.6}>
              {index + 1}
            </text>
          </g>
        ))}
      </svg>
      <div className={s['places']}>
        {places.map((place, index) => (
          <p key={place.name} className={s['place']}>
            <span className={s['number']}>{index + 1}</span>
            <span className={s['grow']}>
              <span className={s['name']}>{place.name}</span>
              {place.value && <span className={s['detail']}>{place.value}</span>}
            </span>
          </p>
        ))}
      </div>
    </>
  )
}
