import { ButtonLink } from './ButtonLink'

/** A button that opens a new message in the visitor's mail program. */
export function MailButton({
  email,
  text,
  variant = 'outline',
}: {
  email: string
  text: string
  variant?: 'primary' | 'outline' | 'secondary'
}) {
  return (
    <ButtonLink href={`mailto:${email}`} variant={variant}>
      {text}
    </ButtonLink>
  )
}
