import type { ReactNode } from 'react'
import type { IslandUse } from '../../../shared/islands'
import { CopyButton } from '../CopyButton'
import { Island } from '../Island'
import s from './CodeBlock.module.css'

type CodeBlockProps = { label: string; copiedText: string } & (
  | { children: ReactNode; island?: never }
  // Code with syntax highlighting from the server.
  | { island: IslandUse; children?: never }
)

/** Code with a copy button. Long lines wrap, so the whole command is visible. */
export function CodeBlock({ label, copiedText, children, island }: CodeBlockProps) {
  return (
    <div className={s['block']} data-copy-from>
      {island ? (
        <Island island={island} />
      ) : (
        <pre className={s['code']}>
          <code>{children}</code>
        </pre>
      )}
      <CopyButton
        label={label}
        track="article-copy"
        copiedText={copiedText}
        className={s['button']}
      />
    </div>
  )
}
