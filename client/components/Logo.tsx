/** The logo: three overlapping translucent tiles, each with one cut corner. */
export function Logo() {
  return (
    <svg width="30" height="30" viewBox="0 0 30 30" aria-hidden="true">
      <path d="M2 2h13l4 4v13H2z" fill="var(--tile-1)" />
      <path d="M6.5 6.5h13l4 4v13h-17z" fill="var(--tile-2)" />
      <path d="M11 11h13l4 4v13H11z" fill="var(--tile-3)" />
    </svg>
  )
}
