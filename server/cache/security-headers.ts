/** Headers of every answer besides the policy of pages (decisions 8). */
export function securityHeaders(secure: boolean): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    // The identity provider's prompt opens a window that must be able to answer.
    'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Frame-Options': 'DENY',
    ...(secure ? { 'Strict-Transport-Security': 'max-age=63072000; includeSubDomains' } : {}),
  }
}

/** Policy of drawings (SVG), which are documents: opened by themselves they run no script and fetch nothing. */
export const drawingPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
