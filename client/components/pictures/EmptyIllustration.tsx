/** Decorative drawing for empty lists and error pages: two tiles, the third one missing. */
export function EmptyIllustration({ className }: { className: string | undefined }) {
  return (
    <svg className={className} viewBox="0 0 160 130" aria-hidden="true">
      <path d="M6 6h72l22 22v62H6z" fill="var(--tile-1)" />
      <path d="M30 24h72l22 22v62H30z" fill="var(--tile-2)" />
      <path
        d="M58 42h72l22 22v62H58z"
        fill="none"
        stroke="var(--line-strong)"
        strokeWidth="2"
        strokeDasharray="6 6"
      />
    </svg>
  )
}
