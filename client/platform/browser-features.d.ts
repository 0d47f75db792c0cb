/** Browser features that TypeScript's own declarations lack. */
interface Navigator {
  /** Global Privacy Control: the visitor does not want to be tracked. */
  readonly globalPrivacyControl?: boolean
  /** Network Information API, Chromium only. */
  readonly connection?: { saveData?: boolean; effectiveType?: string }
}
interface Document {
  /** The browser loads the page before the visitor opens it. */
  readonly prerendering?: boolean
}
