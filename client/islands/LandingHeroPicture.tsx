import type { LandingPicture as Picture } from '../../shared/landing-schemas'
import type { ForeignText } from '../../shared/page-data'
import { LandingPicture } from '../components/pictures/LandingPicture'
import type { IslandProps } from './island-props'

/** The picture of a landing page. */
export function LandingHeroPicture({
  data: { picture, foreign },
}: IslandProps<{ picture: Picture; foreign?: ForeignText }>) {
  return <LandingPicture picture={picture} lang={foreign?.lang} />
}
