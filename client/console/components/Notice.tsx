import s from './Notice.module.css'

/** A line about the state of a view; a failure is announced at once. */
export function Notice({ text, isFailure = false }: { text: string; isFailure?: boolean }) {
  return (
    <p
      className={isFailure ? `${s['notice']} ${s['failure']}` : s['notice']}
      role={isFailure ? 'alert' : 'status'}
    >
      {text}
    </p>
  )
}
