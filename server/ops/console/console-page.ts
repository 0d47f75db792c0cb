import type { ConsolePageData } from '../../../shared/console/page-data'
import { consolePaths } from '../../../shared/console/console-call'
import type { Build } from '../../build-info'
import {
  contentSecurityPolicy,
  loaderScript,
  themeScript,
} from '../../pages/render/content-security-policy'
import { html, type Html } from '../../pages/render/html-template'
import { jsonForScript } from '../../pages/render/json-for-script'

type Assets = Pick<Build['assets'], 'console'>

/** The console loads only files of this site. */
const noOrigins = { style: [], img: [], connect: [], frame: [] }
export const consolePolicy = (isSecure: boolean): string =>
  contentSecurityPolicy(noOrigins, undefined, isSecure)

/**
 * A script element. The policy allows a constant script by its hash, so not even a space may be
 * added, as formatting the template would do. JSON has been escaped by `jsonForScript`.
 */
const script = (text: string, attributes: Html = html``): Html => ({
  html: `<script${attributes.html}>${text}</script>`,
})

const consoleDocument = (title: string, { console }: Assets, body: Html): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        ${script(themeScript)}
        ${console.css.map((file) => html`<link rel="stylesheet" href="${file}" />`)}
      </head>
      <body>
        ${body}
      </body>
    </html> `.html

/** The page in which the console runs. Its views are routes of the browser. */
export const renderConsole = (data: ConsolePageData, assets: Assets): string =>
  consoleDocument(
    `Console | ${data.brand}`,
    assets,
    html`<div id="console"></div>
      ${script(jsonForScript(data), html` type="application/json" id="console-data"`)}
      ${script(loaderScript, html` data-entry="${assets.console.js.join(' ')}"`)}
      <noscript><p class="console-sign-in">The console needs JavaScript.</p></noscript>`,
  )

/** The form for an operator without a session. It works without scripts. */
export const renderSignIn = (
  { brand, message, name }: { brand: string; message: string | null; name: string },
  assets: Assets,
): string =>
  consoleDocument(
    `Sign in | ${brand}`,
    assets,
    html`<main class="console-sign-in">
      <h1>Console of ${brand}</h1>
      ${message === null ? null : html`<p class="error" role="alert">${message}</p>`}
      <form method="post">
        <label for="operator">Your name</label>
        <p id="operator-hint">Written to the log with every change.</p>
        <input
          id="operator"
          name="operator"
          value="${name}"
          aria-describedby="operator-hint"
          autocomplete="nickname"
          maxlength="64"
          required
        />
        <label for="token">Token</label>
        <p id="token-hint">The value of <code>OPS_TOKEN</code>.</p>
        <input
          id="token"
          name="token"
          type="password"
          aria-describedby="token-hint"
          autocomplete="off"
          required
        />
        <button type="submit">Sign in</button>
      </form>
    </main>`,
  )

/** Whether a path below `/_ops` is one of the console's page; its views are one level below. */
export const isConsolePath = (path: string): boolean => {
  const base = consolePaths.page.slice('/_ops'.length)
  return path === base || path.startsWith(`${base}/`)
}
