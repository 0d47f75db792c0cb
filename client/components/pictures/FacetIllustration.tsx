/** Decorative drawing: overlapping tiles, each for a browser profile. */
export function FacetIllustration({ className }: { className?: string | undefined }) {
  return (
    <svg className={className} viewBox="0 0 220 180" aria-hidden="true">
      <path d="M8 8h96l28 28v84H8z" fill="var(--tile-1)" />
      <path d="M44 34h96l28 28v84H44z" fill="var(--tile-2)" />
      <path d="M84 62h96l28 28v84H84z" fill="var(--tile-3)" />
      <path
        d="M102 96h52M102 114h82M102 132h66"
        stroke="#fff"
        strokeWidth="6"
        strokeLinecap="round"
        opacity="0.85"
      />
    </svg>
  )
}
