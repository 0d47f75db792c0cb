import type { LandingPicture as Picture, PicturePart } from '../../../shared/landing-schemas'
import { MapPart } from './MapPart'
import { ChatPart, LogPart, RolesPart } from './PeopleParts'
import { CalendarPart, FlowPart, TablePart } from './PlanParts'
import { BrowserPart, ProfilesPart, TerminalPart } from './WindowParts'
import s from './LandingPicture.module.css'

function Part({ part }: { part: PicturePart }) {
  switch (part.kind) {
    case 'browser':
      return <BrowserPart {...part} />
    case 'profiles':
      return <ProfilesPart {...part} />
    case 'terminal':
      return <TerminalPart {...part} />
    case 'flow':
      return <FlowPart {...part} />
    case 'table':
      return <TablePart {...part} />
    case 'calendar':
      return <CalendarPart {...part} />
    case 'map':
      return <MapPart {...part} />
    case 'chat':
      return <ChatPart {...part} />
    case 'roles':
      return <RolesPart {...part} />
    case 'log':
      return <LogPart {...part} />
  }
}

/**
 * The picture of a landing page, drawn in HTML from its front matter. The second part overlaps the
 * lower edge of the first.
 */
export function LandingPicture({ picture, lang }: { picture: Picture; lang?: string | undefined }) {
  return (
    <div
      className={s['picture']}
      role="img"
      aria-label={picture.label}
      lang={lang}
      data-expose="picture-landing"
    >
      {picture.parts.map((part, index) => (
        <div key={index} className={index === 0 ? s['part'] : s['front']}>
          <Part part={part} />
        </div>
      ))}
    </div>
  )
}
