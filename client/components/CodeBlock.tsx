import type { ReactNode } from 'react'
import { CopyButton } from './CopyButton'
import s from './CodeBlock.module.css'

/** Code with a button that copies it. Long lines wrap: nothing of a command may be out of sight. */
export function CodeBlock({ label, copied, children }: { label: string; copied: string; children: ReactNode }) {
  return (
    <div className={s['block']} data-copy-from>
      <pre className={s['code']}>
        <code>{children}</code>
      </pre>
      <CopyButton label={label} copied={copied} className={s['button']} />
    </div>
  )
}
