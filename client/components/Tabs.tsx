import { useId, type ReactNode } from 'react'
import type { TrackKey } from '../../shared/tracking-keys'

type Tab = { id: string; label: string; content: ReactNode }

/**
 * Tabs made of radio buttons, as in articles: they work without script and before hydration, arrow
 * keys included.
 */
export function Tabs({
  label,
  tabs,
  track,
}: {
  label: string
  tabs: readonly Tab[]
  /** Key of a tab when it is clicked. */
  track: TrackKey
}) {
  const group = useId()
  return (
    <fieldset className="tabs">
      <legend className="sr-only">{label}</legend>
      {tabs.map((tab, index) => (
        <TabParts key={tab.id} tab={tab} group={group} track={track} first={index === 0} />
      ))}
    </fieldset>
  )
}

function TabParts({
  tab,
  group,
  track,
  first,
}: {
  tab: Tab
  group: string
  track: TrackKey
  first: boolean
}) {
  const id = `${group}-${tab.id}`
  return (
    <>
      <input type="radio" className="tabs-input" name={group} id={id} defaultChecked={first} />
      <label className="tabs-label" htmlFor={id} data-track={track}>
        {tab.label}
      </label>
      <div className="tabs-panel">{tab.content}</div>
    </>
  )
}
