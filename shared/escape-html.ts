const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/**
 * Escapes text for HTML and XML: as content, or as the value of an attribute in double quotes. The
 * only function that does.
 */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (char) => entities[char] ?? char)

/** Also removes the control characters that XML 1.0 does not allow. */
export const escapeXml = (text: string): string =>
  escapeHtml(text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ''))
