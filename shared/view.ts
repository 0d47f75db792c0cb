/** What a page is rendered from, on the server and at hydration in the browser. */
import type { Currency } from './constants'
import type { LocaleCode } from './i18n/locales'
import type { Namespace } from './i18n/namespaces'
import type { IslandName, IslandUse } from './islands'
import type { PageData } from './page-data'
import type { Origins } from './routes/href'
import type { Params } from './routes/path-of'
import type { RouteId } from './routes/table'

/** Metadata of a page for search engines and social networks (spec 9.4). */
export type Seo = {
  title: string
  description: string
  keywords: string
  /** Null on error pages. */
  canonical: string | null
  robots: string | null
  alternates: ReadonlyArray<{ hreflang: string; href: string }>
}

/** Settings of the one-tap sign-in. */
export type OneTapSettings = {
  clientId: string
  script: string
  /** Path, or origin and path, of the passport calls. */
  authBase: string
  /** Whether the backend has a call for nonces. */
  takesNonce: boolean
  /** Path or URL of the application. */
  appUrl: string
  /** Where the application opens. */
  target: 'same' | 'new'
}

/** Settings of the client's deferred services, which they fetch (spec 6.5). */
export type VisitorSettings = {
  /** ISO 3166-1 codes of the countries where analytics needs consent. */
  consentCountries: readonly string[]
  /**
   * Public key (SPKI, base64) for which credentials and events are encrypted. Empty: fetched from
   * the API. Null: there is no key, so neither is sent.
   */
  publicKey: string | null
  /** Null: no prompt. */
  oneTap: OneTapSettings | null
  chat: { defaultScript: string; skipIp: string }
  /**
   * URLs of the statistics scripts, in order, and of the pictures; inline scripts are served by
   * this site as files.
   */
  statistics: { head: readonly string[]; body: readonly string[]; pixels: readonly string[] }
}

/** Configuration that every page shows, from `content/site.yaml` and the settings. */
export type SiteInfo = {
  brand: string
  /** Currency in which prices are first shown in this language. */
  currency: Currency
  registerUrl: string
  loginUrl: string
  /** Mailboxes; empty where the operator has not set one. */
  contact: { email: string; support: string; abuse: string }
  /** Whether the pre-sales page is enabled. */
  preSales: boolean
  /** Whether a chat may come, so that the chat button waits for it. */
  chatExpected: boolean
  /** Domain of the cookies that scripts write; empty: the host only. */
  cookieDomain: string
}

/** Who runs the site, for footer and search engines; empty where `content/site.yaml` has nothing. */
export type Organization = {
  company: { name: string; address: string }
  social: ReadonlyArray<{ name: string; url: string }>
}

export type Breadcrumb = {
  above: ReadonlyArray<{ href: string; text: string }>
  /** Null where no menu names the page. */
  name: string | null
}

export type Texts = Readonly<Record<string, unknown>>

/**
 * Everything that a page is made from. It must be the same for every visitor: the page's data block
 * contains it as JSON, without what the document already has as HTML.
 */
export type PageView = {
  buildId: string
  locale: LocaleCode
  route: RouteId
  params: Params
  /** Canonical path on the language's host, with the language prefix, without the query. */
  path: string
  seo: Seo
  site: SiteInfo
  organization: Organization
  origins: Origins
  /** URL of the page in each language; where it does not exist, the home page and `same: false`. */
  languages: ReadonlyArray<{ code: LocaleCode; href: string; same: boolean }>
  /** Names of the page and links to the pages above it, from the home page down. */
  breadcrumb: Breadcrumb
  texts: Readonly<Partial<Record<Namespace, Texts>>>
  data: PageData[keyof PageData]
}

/** What components render. Only the server makes the head and the end of the footer. */
export type BodyView = Omit<PageView, 'seo' | 'organization'>

/** HTML of an island: a promise streams it after the shell. */
export type IslandHtml = string | Promise<string>

export type RenderOptions = {
  island: (use: IslandUse) => IslandHtml
  /** URL of a file of the build by its logical name, such as `sprite.svg`. */
  asset: (name: string) => string
}
type StreamOptions = RenderOptions & {
  nonce: string
  onShellReady: () => void
  onAllReady: () => void
  onShellError: (error: unknown) => void
  onError: (error: unknown) => void
}
export type RenderHandle = {
  pipe: (to: NodeJS.WritableStream) => void
  abort: (reason: Error) => void
}

/** What an island is rendered from, besides its data. */
export type IslandView = Pick<PageView, 'locale' | 'texts'> &
  Pick<RenderOptions, 'asset'> & { brand: string }

/** Exports of the client's server bundle: the only way in which the server uses React. */
export type ViewModule = {
  /** A page as HTML. None of its islands may be a promise. */
  renderPage: (view: PageView, options: RenderOptions) => string
  /** Streams a page. Islands that are promises follow after the shell. */
  streamPage: (view: PageView, options: StreamOptions) => RenderHandle
  /** An island as HTML. */
  renderIsland: (name: IslandName, view: IslandView, data: unknown) => string
  /** Loads the module of every page, so that rendering is synchronous. */
  ready: () => Promise<void>
}
