import type { KeyboardEvent, RefObject } from 'react'
import { search as limits } from '../../shared/constants'
import { Icon } from '../components/Icon'
import { useTexts } from '../use-texts'
import s from './SearchDialog.module.css'

type SearchFieldProps = {
  inputRef: RefObject<HTMLInputElement | null>
  query: string
  /** Id of the list of results; undefined while there are none. */
  listId: string | undefined
  activeOptionId: string | undefined
  onChange: (query: string) => void
  onKeyDown: (event: KeyboardEvent) => void
  onClose: () => void
}

/** The text field of the combobox and the button that closes the dialog. */
export function SearchField({
  inputRef,
  query,
  listId,
  activeOptionId,
  onChange,
  onKeyDown,
  onClose,
}: SearchFieldProps) {
  const t = useTexts('search')
  return (
    <div className={s['bar']}>
      <Icon name="search" size={22} className={s['icon']} />
      <input
        ref={inputRef}
        className={s['field']}
        type="text"
        inputMode="search"
        enterKeyHint="go"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={limits.maxQueryLength}
        role="combobox"
        aria-label={t('label')}
        aria-autocomplete="list"
        aria-expanded={listId !== undefined}
        aria-controls={listId}
        aria-activedescendant={activeOptionId}
        placeholder={t('placeholder')}
        value={query}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <button
        type="button"
        className={s['close']}
        data-action="close"
        data-track="search-close"
        aria-label={t('close')}
        onClick={onClose}
      >
        <Icon name="close" />
      </button>
    </div>
  )
}
