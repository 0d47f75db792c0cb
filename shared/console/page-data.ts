/** What the server writes into the console's page. */
export type ConsolePageData = {
  brand: string
  operator: string
  /** Address of the icon sprite. */
  sprite: string
}
