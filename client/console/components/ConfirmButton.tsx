import { useState } from 'react'
import { Dialog } from '../../components/Dialog'
import { Button, ButtonRow } from './Button'

/** A button that deletes something after a question. */
export function ConfirmButton({
  text,
  question,
  disabled = false,
  onConfirm,
}: {
  text: string
  question: string
  disabled?: boolean
  onConfirm: () => void
}) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button kind="danger" disabled={disabled} onClick={() => setAsking(true)}>
        {text}
      </Button>
      {isAsking && (
        <Dialog title={question} close="Close" onClose={() => setAsking(false)}>
          <ButtonRow>
            <Button
              kind="danger"
              onClick={() => {
                setAsking(false)
                onConfirm()
              }}
            >
              {text}
            </Button>
            <Button onClick={() => setAsking(false)}>Cancel</Button>
          </ButtonRow>
        </Dialog>
      )}
    </>
  )
}
