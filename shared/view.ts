/** The contract between server and interface: what a page is rendered from, there and at hydration in the browser. */
import type { Currency } from './constants'
import type { LocaleCode } from './i18n/locales'
import type { Namespace } from './i18n/namespaces'
import type { IslandName, IslandUse } from './islands'
import type { PageData } from './page-data'
import type { Origins } from './routes/href'
import type { Params } from './routes/match'
import type { RouteId } from './routes/table'

/** Search and sharing data of a page (spec section 3, page SEO record). */
export type Seo = {
  title: string
  description: string
  keywords: string
  /** Null on error pages. */ canonical: string | null
  robots: string | null
  alternates: ReadonlyArray<{ hreflang: string; href: string }>
}

/** What the visitor's side needs to know, the same for every visitor. */
export type VisitorSettings = {
  /** ISO 3166-1 codes of the countries whose visitors are asked before anything is measured. */
  consentCountries: readonly string[]
  /** Null: no prompt. `authBase`: path or origin under which the passport calls lie. */
  oneTap: { clientId: string; script: string; authBase: string; target: 'same' | 'new' } | null
  chat: { defaultScript: string; skipIp: string }
  /** Addresses of the statistics service's scripts, in order; inline ones are files of this site. */
  statistics: { head: readonly string[]; body: readonly string[] }
}

/** What an operator configures and every page shows; from `content/site.yaml`. */
export type SiteInfo = {
  brand: string
  /** In which the page's language first sees prices. */
  currency: Currency
  registerUrl: string
  loginUrl: string
  contact: { email: string; support: string; abuse: string }
  social: ReadonlyArray<{ name: string; url: string }>
  /** Whether the pre-sales page is switched on. */
  preSales: boolean
  /** Domain of the cookies that scripts write; empty: the host alone. */
  cookieDomain: string
  visitor: VisitorSettings
}

export type Texts = Readonly<Record<string, unknown>>

/**
 * Everything that a page is rendered from. The same object stands in the page's data block, without what the markup
 * already holds, so it must be JSON and the same for every visitor.
 */
export type PageView = {
  buildId: string
  locale: LocaleCode
  route: RouteId
  params: Params
  /** Canonical path on the language's host, prefix included, query excluded. */
  path: string
  seo: Seo
  site: SiteInfo
  origins: Origins
  /** Equivalent page in each language, absolute; the language's home page where there is none (`same` is false then). */
  languages: ReadonlyArray<{ code: LocaleCode; href: string; same: boolean }>
  texts: Readonly<Partial<Record<Namespace, Texts>>>
  data: PageData[keyof PageData]
}

/** HTML of an island: at once, or late. */
export type IslandHtml = string | Promise<string>

export type RenderOptions = {
  nonce: string | null
  island: (use: IslandUse) => IslandHtml
  /** Address of a build's file by its logical name: `sprite.svg`. */
  asset: (name: string) => string
  onShellReady: () => void
  onAllReady: () => void
  onShellError: (error: unknown) => void
  onError: (error: unknown) => void
}
export type RenderHandle = {
  pipe: (to: NodeJS.WritableStream) => void
  abort: (reason: Error) => void
}

/** What an island is rendered with besides its data. */
export type IslandView = Pick<PageView, 'locale' | 'texts'> & { brand: string }

/** What the interface's server bundle exports: the only thing that the server knows of React. */
export type ViewModule = {
  renderPage: (view: PageView, options: RenderOptions) => RenderHandle
  /** Server-only fragment as HTML. */
  renderIsland: (name: IslandName, view: IslandView, data: unknown) => string
  /** Loads every page's module, so that rendering itself is synchronous. */
  ready: () => Promise<void>
}
