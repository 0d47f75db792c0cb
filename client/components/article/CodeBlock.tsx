import type { ReactNode } from 'react'
import type { IslandUse } from '../../../shared/islands'
import { CopyButton } from './CopyButton'
import { Island } from '../Island'
import s from './CodeBlock.module.css'

type CodeBlockProps = { label: string; copied: string } & (
  | { children: ReactNode; island?: never }
  | { /** Code that the server colours. */ island: IslandUse; children?: never }
)

/** Code with a button that copies it. Long lines wrap: nothing of a command may be out of sight. */
export function CodeBlock({ label, copied, children, island }: CodeBlockProps) {
  return (
    <div className={s['block']} data-copy-from>
      {island ? (
        <Island {...island} />
      ) : (
        <pre className={s['code']}>
          <code>{children}</code>
        </pre>
      )}
      <CopyButton label={label} copied={copied} className={s['button']} />
    </div>
  )
}
