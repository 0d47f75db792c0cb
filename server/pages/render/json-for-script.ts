/** Escapes JSON for a script element: it can neither end the element nor end a line of script. */
export const escapeJson = (json: string): string =>
  json.replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

export const jsonForScript = (value: unknown): string => escapeJson(JSON.stringify(value))
