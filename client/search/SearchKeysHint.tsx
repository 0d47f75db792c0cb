import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { browserStorage } from '../platform/browser-storage'
import { setSingleKeys, singleKeysOn } from '../platform/single-keys'
import s from './SearchDialog.module.css'

/** What the keys do, and the switch for those that need no Ctrl. */
export function SearchKeysHint({ count }: { count: string }) {
  const { t } = useTranslation('search')
  const [on, setOn] = useState(() => singleKeysOn(browserStorage()))
  const change = (next: boolean): void => {
    setSingleKeys(next, browserStorage())
    setOn(next)
  }
  return (
    <div className={s['foot']}>
      <p className={s['keys']} aria-hidden="true">
        <kbd>↑</kbd> <kbd>↓</kbd> {t('keys.move')} <kbd>↵</kbd> {t('keys.open')} <kbd>Esc</kbd>{' '}
        {t('keys.leave')}
        <span className={s['count']}>{count}</span>
      </p>
      <label className={s['single']}>
        <input type="checkbox" checked={on} onChange={(event) => change(event.target.checked)} />
        {t('keys.single')}
      </label>
    </div>
  )
}
