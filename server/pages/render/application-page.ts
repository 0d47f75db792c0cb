import { createHash } from 'node:crypto'
import { escapeHtml } from '../../../shared/escape-html'
import { locales, type LocaleCode } from '../../../shared/i18n/locales'

/** Content of a page: a heading, lines of text and a link back. */
type ApplicationPage = {
  locale: LocaleCode
  brand: string
  title: string
  lines: readonly string[]
  back: { href: string; text: string }
}

const style = `
:root{color-scheme:light dark;--paper:#f5f7fb;--card:#fff;--ink:#0b1220;--muted:#465166;--line:#dbe1ec;--blue:#2450e6}
@media (prefers-color-scheme:dark){:root{--paper:#0b1220;--card:#131c2e;--ink:#eef2fa;--muted:#aab5c9;--line:#2a3650;--blue:#9db4ff}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px;background:var(--paper);color:var(--ink);font:17px/1.6 system-ui,sans-serif}
main{width:min(100%,480px);padding:40px 32px;background:var(--card);border:1px solid var(--line);border-radius:16px}
.brand{margin:0 0 24px;font-weight:600;color:var(--muted)}
h1{margin:0 0 16px;font-size:28px;line-height:1.25}
p{margin:0 0 12px;overflow-wrap:anywhere}
a{display:inline-block;margin-top:12px;padding:8px 0;color:var(--blue)}
`
const styleHash = createHash('sha256').update(style).digest('base64')

/** The page must not load, run or be framed by anything: its URL may contain a token. */
export const applicationPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** A page of the embedded application (spec 7.12): without scripts and other files. */
export function renderApplicationPage(page: ApplicationPage): string {
  const { language } = locales[page.locale]
  const brand = escapeHtml(page.brand)
  const title = escapeHtml(page.title)
  const lines = page.lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('')
  return (
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width, initial-scale=1">' +
    '<meta name="robots" content="noindex">' +
    `<title>${title} | ${brand}</title><style>${style}</style></head>` +
    `<body><main><p class="brand">${brand}</p><h1>${title}</h1>${lines}` +
    `<a href="${escapeHtml(page.back.href)}">${escapeHtml(page.back.text)}</a>` +
    '</main></body></html>\n'
  )
}
