import { useState } from 'react'
import { localStorageOrNull } from '../platform/browser-storage'
import { setSingleKeysEnabled, areSingleKeysEnabled } from '../platform/single-key-shortcuts'
import { useTexts } from '../use-texts'
import s from './SearchDialog.module.css'

/** Explains the keys, shows the number of results, and switches single-key shortcuts on or off. */
export function SearchKeysHint({ count }: { count: string }) {
  const t = useTexts('search')
  const [isEnabled, setEnabled] = useState(() => areSingleKeysEnabled(localStorageOrNull()))
  const change = (enabled: boolean): void => {
    setSingleKeysEnabled(enabled, localStorageOrNull())
    setEnabled(enabled)
  }
  return (
    <div className={s['foot']}>
      <p className={s['keys']} aria-hidden="true">
        <kbd>↑</kbd> <kbd>↓</kbd> {t('keys.move')} <kbd>↵</kbd> {t('keys.open')} <kbd>Esc</kbd>{' '}
        {t('keys.leave')}
        <span className={s['count']}>{count}</span>
      </p>
      <label className={s['singleKeys']} data-track="search-shortcuts">
        <input
          type="checkbox"
          checked={isEnabled}
          onChange={(event) => change(event.target.checked)}
        />
        {t('keys.single')}
      </label>
    </div>
  )
}
