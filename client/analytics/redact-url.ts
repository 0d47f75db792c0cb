/** Parameters that hold a secret or personal data: sign-in tokens and form fields. */
const secretParameter =
  /^(cpl|token|credential|code_verifier|state|id_token|access_token|g_csrf_token|e-?mail|name|phone|password|message)$/i

const maxLength = 2000

/**
 * An address without fragment, user info and secret parameters, at most 2,000 characters. Empty
 * when it is not a valid URL; only the protocol when that is not http or https.
 */
export function redactUrl(address: string, base?: string): string {
  if (!address || !URL.canParse(address, base)) return ''
  const url = new URL(address, base)
  if (!/^https?:$/.test(url.protocol)) return url.protocol
  url.hash = ''
  url.username = ''
  url.password = ''
  for (const [name, value] of [...url.searchParams]) {
    if (secretParameter.test(name)) url.searchParams.delete(name)
    // A register link holds the address of the page on which it was clicked.
    else if (/^https?:/.test(value)) url.searchParams.set(name, redactUrl(value))
  }
  return url.href.slice(0, maxLength)
}
