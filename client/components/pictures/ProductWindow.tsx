import type { IconName } from '../../icons/names'
import { Icon } from '../Icon'
import s from './ProductWindow.module.css'

const rows = [
  { id: 'shop', system: 'windows', proxy: 'SOCKS5 · PT', status: 'running' },
  { id: 'support', system: 'apple', proxy: 'HTTPS · DE', status: 'inUse' },
  { id: 'campaign', system: 'windows', proxy: 'HTTP · BR', status: 'running' },
  { id: 'research', system: 'apple', proxy: 'SOCKS5 · JP', status: 'ready' },
  { id: 'test', system: 'windows', proxy: 'HTTPS · US', status: 'ready' },
] as const satisfies ReadonlyArray<{ id: string; system: IconName; proxy: string; status: string }>

type RowId = (typeof rows)[number]['id']
type Column = 'name' | 'system' | 'proxy' | 'status' | 'tags'
type WindowTexts = {
  label: string
  title: string
  columns: Readonly<Record<Column, string>>
  status: Readonly<Record<'running' | 'ready' | 'inUse', string>>
  names: Readonly<Record<RowId, string>>
  tags: Readonly<Record<RowId, string>>
}

function Status({ status, texts }: { status: keyof WindowTexts['status']; texts: WindowTexts }) {
  return <span className={`${s['status']} ${s[status]}`}>{texts.status[status]}</span>
}

type ProductWindowProps = {
  texts: WindowTexts
  /** A running profile that is ready at first, and starts while the visitor looks. */
  starts?: RowId
}

/** Drawing of the product: a window with the list of profiles. */
export function ProductWindow({ texts, starts }: ProductWindowProps) {
  return (
    <div className={s['window']} role="img" aria-label={texts.label} data-expose="picture-profiles">
      <div className={s['bar']}>
        <span className={s['windowButtons']} />
        <span className={s['title']}>{texts.title}</span>
        <span className={s['field']}>
          <Icon name="search" size={16} />
        </span>
      </div>
      <div className={s['list']}>
        <div className={`${s['row']} ${s['columns']}`}>
          <span />
          <span>{texts.columns.name}</span>
          <span className={s['wide']}>{texts.columns.system}</span>
          <span className={s['wide']}>{texts.columns.proxy}</span>
          <span>{texts.columns.status}</span>
          <span className={s['wide']}>{texts.columns.tags}</span>
        </div>
        {rows.map((row) => (
          <div key={row.id} className={s['row']}>
            <span className={`${s['tile']} ${s[`tile-${row.id}`]}`} />
            <span className={s['name']}>{texts.names[row.id]}</span>
            <span className={s['wide']}>
              <Icon name={row.system} size={18} />
            </span>
            <span className={`${s['wide']} ${s['proxy']}`}>{row.proxy}</span>
            <span className={row.id === starts ? s['starting'] : undefined}>
              {row.id === starts && <Status status="ready" texts={texts} />}
              <Status status={row.status} texts={texts} />
            </span>
            <span className={s['wide']}>
              <span className={s['tag']}>{texts.tags[row.id]}</span>
            </span>
          </div>
        ))}
      </div>
    </div>
  )
}
