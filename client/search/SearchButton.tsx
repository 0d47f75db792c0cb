import { Icon } from '../components/Icon'
import s from '../components/HeaderButton.module.css'
import { LazySearchDialog } from './LazySearchDialog'
import { searchOpen } from './search-open'
import { useTexts } from '../use-texts'

/** The header's button that opens the search, with the dialog. */
export function SearchButton({ alert }: { alert: (text: string) => void }) {
  const t = useTexts('shell')
  return (
    <>
      <button
        type="button"
        className={s['button']}
        data-action="search"
        data-track="header-search"
        aria-label={t('search')}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K /"
        onClick={() => searchOpen.set(true)}
      >
        <Icon name="search" size={22} />
      </button>
      <LazySearchDialog alert={alert} />
    </>
  )
}
