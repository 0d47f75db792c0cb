import type { ReactNode } from 'react'
import type { ConsoleAction } from '../use-console-call'
import { Button } from './Button'
import { Notice } from './Notice'
import s from './ActionForm.module.css'

/** A form that runs an action: its fields, its button, and the message of a failure. */
export function ActionForm({
  action,
  button,
  kind = 'main',
  others,
  onSubmit,
  children,
}: {
  action: ConsoleAction
  /** The text of the button. */
  button: string
  kind?: 'main' | 'danger'
  /** Other buttons. */
  others?: ReactNode
  onSubmit: () => void
  children: ReactNode
}) {
  return (
    <>
      <form
        className={s['form']}
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit()
        }}
      >
        {children}
        <Button kind={kind} type="submit" disabled={action.isRunning}>
          {button}
        </Button>
        {others}
      </form>
      {action.error && <Notice isFailure text={action.error} />}
    </>
  )
}
