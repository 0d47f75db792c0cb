import { ButtonLink } from './ButtonLink'

/** A button that opens a letter; the address stays readable for those without a mail program. */
export function MailButton({
  email,
  text,
  look = 'plain',
}: {
  email: string
  text: string
  look?: 'main' | 'plain' | 'quiet'
}) {
  return (
    <ButtonLink href={`mailto:${email}`} look={look}>
      {text}
    </ButtonLink>
  )
}
