/** What browsers have and TypeScript's own list lacks. */
interface Navigator {
  /** Global Privacy Control: the visitor does not want to be tracked. */
  readonly globalPrivacyControl?: boolean
}
interface Document {
  /** The page is loaded before anybody has asked to see it. */
  readonly prerendering?: boolean
}
