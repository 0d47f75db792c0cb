import { createRequire } from 'node:module'
import { LRUCache } from 'lru-cache'
import {
  createHighlighterCoreSync,
  createCssVariablesTheme,
  type HighlighterCore,
  type LanguageRegistration,
} from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import { escapeHtml } from '../../../shared/escape-html'

// Colors are names; the page's style sheet sets their values in both themes. The content security
// policy forbids style attributes, so each token gets a class (`var(--tok-token-keyword)` becomes
// `tok-keyword`).
const theme = createCssVariablesTheme({ name: 'names', variablePrefix: '--tok-', fontStyle: false })

const codeLanguages = [
  'bash',
  'css',
  'diff',
  'go',
  'html',
  'http',
  'javascript',
  'json',
  'powershell',
  'python',
  'sql',
  'typescript',
  'yaml',
]
/**
 * The grammars are a megabyte. They are not bundled, so that a content process that finds nothing
 * changed starts without them.
 */
const requireUnbundled = createRequire(__filename)
const loadGrammar = (language: string): LanguageRegistration[] =>
  // What `shiki` documents for its language modules.
  (requireUnbundled(`shiki/langs/${language}.mjs`) as { default: LanguageRegistration[] }).default

let highlighter: HighlighterCore | null = null
const loadHighlighter = (): HighlighterCore =>
  (highlighter ??= createHighlighterCoreSync({
    themes: [theme],
    langs: codeLanguages.map(loadGrammar),
    // ES2024, because ES2025 has groups like `(?i:…)`, whose `i` V8 ignores in expressions that it
    // does not optimize. It stops optimizing once expressions fill some megabytes, so the same code
    // got different colors in different processes.
    engine: createJavaScriptRegexEngine({ forgiving: true, target: 'ES2024' }),
  }))

const classOf = (color: string | undefined): string | null =>
  /^var\(--tok-token-([a-z-]+)\)$/.exec(color ?? '')?.[1] ?? null

/**
 * Blocks by language and code. Translations of an article contain the same code, and highlighting
 * takes longer than compiling the rest of an article.
 */
const blocks = new LRUCache<string, string>({ max: 2000 })

/** Code as highlighted HTML, without a block around it. An unknown language is not highlighted. */
export function highlightLines(code: string, language: string): string {
  const engine = loadHighlighter()
  if (!engine.getLoadedLanguages().includes(language)) return escapeHtml(code)
  // No time limit: on a busy machine the default limit leaves half a line without colors, and that
  // result would be stored.
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

/** A code block as HTML. It can be focused, so that its overflow can be scrolled by keyboard. */
export function highlightBlock(source: string, language: string): string {
  const code = source.replace(/\n$/, '')
  const key = `${language}\n${code}`
  const cached = blocks.get(key)
  if (cached !== undefined) return cached
  const label = /^[a-z0-9+#-]{1,20}$/i.test(language) ? ` data-language="${language}"` : ''
  const html = `<pre class="code"${label} tabindex="0"><code>${highlightLines(code, language)}</code></pre>\n`
  blocks.set(key, html)
  return html
}
