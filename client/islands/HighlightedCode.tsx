import s from '../components/article/CodeBlock.module.css'
import type { IslandProps } from './island-props'

/** Code with syntax highlighting, inside of a `CodeBlock`. */
export function HighlightedCode({ data }: IslandProps<{ html: string }>) {
  return (
    <pre className={s['code']}>
      <code dangerouslySetInnerHTML={{ __html: data.html }} />
    </pre>
  )
}
