/** Parameters that hold a secret or a person: tokens of sign-in, what forms are filled with. */
const secret =
  /^(cpl|token|credential|code_verifier|state|id_token|access_token|g_csrf_token|e-?mail|name|phone|password|message)$/i

/** An address as it may be reported: without fragment, user info and secret parameters, at most 2,000 characters; empty when it is none. */
export function reportableUrl(address: string, base?: string): string {
  if (!address || !URL.canParse(address, base)) return ''
  const url = new URL(address, base)
  if (!/^https?:$/.test(url.protocol)) return url.protocol
  url.hash = ''
  url.username = ''
  url.password = ''
  // A register link carries the address of the page it was clicked on.
  for (const [name, value] of [...url.searchParams]) {
    if (secret.test(name)) url.searchParams.delete(name)
    else if (/^https?:/.test(value)) url.searchParams.set(name, reportableUrl(value))
  }
  return url.href.slice(0, 2000)
}
