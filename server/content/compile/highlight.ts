import {
  createHighlighterCoreSync,
  createCssVariablesTheme,
  type HighlighterCore,
} from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import bash from 'shiki/langs/bash.mjs'
import css from 'shiki/langs/css.mjs'
import diff from 'shiki/langs/diff.mjs'
import go from 'shiki/langs/go.mjs'
import html from 'shiki/langs/html.mjs'
import http from 'shiki/langs/http.mjs'
import javascript from 'shiki/langs/javascript.mjs'
import json from 'shiki/langs/json.mjs'
import powershell from 'shiki/langs/powershell.mjs'
import python from 'shiki/langs/python.mjs'
import sql from 'shiki/langs/sql.mjs'
import typescript from 'shiki/langs/typescript.mjs'
import yaml from 'shiki/langs/yaml.mjs'

// Colours as names: the page's style sheet gives them their values in both themes. The policy forbids style attributes,
// so each token becomes a class (`var(--tok-token-keyword)` -> `tok-keyword`).
const theme = createCssVariablesTheme({ name: 'names', variablePrefix: '--tok-', fontStyle: false })

let shared: HighlighterCore | null = null
const highlighter = (): HighlighterCore =>
  (shared ??= createHighlighterCoreSync({
    themes: [theme],
    langs: [
      bash,
      css,
      diff,
      go,
      html,
      http,
      javascript,
      json,
      powershell,
      python,
      sql,
      typescript,
      yaml,
    ],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  }))

const escapeHtml = (text: string): string =>
  text.replace(
    /[&<>"]/g,
    (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char] ?? char,
  )
const classOf = (color: string | undefined): string | null =>
  /^var\(--tok-token-([a-z-]+)\)$/.exec(color ?? '')?.[1] ?? null

// The same snippet stands in many languages of an article: highlighting costs more than all the rest of a text.
const cache = new Map<string, string>()
const cacheSize = 2000

/** Code as HTML, token by token, without a block around it. */
export function highlightedLines(code: string, language: string): string {
  const engine = highlighter()
  if (!engine.getLoadedLanguages().includes(language)) return escapeHtml(code)
  // Without a limit of time: on a busy machine the default one leaves half a line uncoloured, and that would be kept.
  return engine
    .codeToTokensBase(code, { lang: language, theme: 'names', tokenizeTimeLimit: 0 })
    .map((line) =>
      line
        .map(({ content, color }) => {
          const name = classOf(color)
          return name
            ? `<span class="tok-${name}">${escapeHtml(content)}</span>`
            : escapeHtml(content)
        })
        .join(''),
    )
    .join('\n')
}

/** A code block as HTML; an unknown language is shown plain. The block scrolls by itself and takes the keyboard. */
export function highlight(source: string, language: string): string {
  const code = source.replace(/\n$/, '')
  const key = `${language}\n${code}`
  const known = cache.get(key)
  if (known !== undefined) return known
  if (cache.size >= cacheSize) cache.clear()
  const label = /^[a-z0-9+#-]{1,20}$/i.test(language) ? ` data-language="${language}"` : ''
  const html = `<pre class="code"${label} tabindex="0"><code>${highlightedLines(code, language)}</code></pre>\n`
  cache.set(key, html)
  return html
}
