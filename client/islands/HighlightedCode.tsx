import s from '../components/article/CodeBlock.module.css'
import type { ShownIsland } from './shown-island'

/** A command, coloured on the server. It looks as `CodeBlock` does, which stands around it and copies it. */
export function HighlightedCode({ data }: ShownIsland<{ html: string }>) {
  return (
    <pre className={s['code']}>
      <code dangerouslySetInnerHTML={{ __html: data.html }} />
    </pre>
  )
}
