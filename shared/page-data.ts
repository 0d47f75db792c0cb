/** What loaders hand to pages: one type for each kind of `Load` in the route table. Plain JSON, no visitor data. */
import type { System } from './content'
import type { Picture } from './images'
import type { LocaleCode } from './i18n/locales'
import type { IslandUse } from './islands'

/** Picture of an article and what is seen on it. */
export type Cover = Picture & { alt: string }

/** A link to an entry of a collection, as lists, menus and teasers show it. */
export type Card = {
  id: string
  href: string
  title: string
  description: string
  /** ISO day, where the entry has one. */
  date?: string
  category?: Labelled
  tags?: readonly string[]
  icon?: string
  cover?: Cover
  /** Language of the text that the link leads to, when it is not the page's: the link then bears the mark "(English)". */
  foreign?: LocaleCode
  /** The title comes from the interface, although the text behind the link is foreign: the name of that language, in the page's own. */
  mark?: string
}

export type Labelled = { id: string; label: string; href?: string }
export type Heading = { depth: number; id: string; text: string }

/** A text of a collection, rendered when content was compiled. */
export type Article = {
  collection: string
  id: string
  title: string
  description: string
  /** HTML, safe by construction. Empty in the browser at hydration: the server's markup is kept as it is. */
  html: string
  headings: readonly Heading[]
  cover?: Cover
  date?: string
  updated?: string
  author?: string
  authorUrl?: string
  /** Other parts of the same series, this one among them without a link. Absent where there is no series. */
  series?: ReadonlyArray<{ id: string; title: string; href: string | null }>
  category?: Labelled
  tags: readonly Labelled[]
  minutes: number
  foreign?: LocaleCode
  /** Address where this text can be edited. */
  edit?: string
  /** The text that this one translates was changed after it, on that ISO day. */
  outdated?: { source: LocaleCode; day: string }
}

export type SidebarSection = { label: string; items: readonly Card[] }

export type Landing = {
  collection: string
  id: string
  title: string
  description: string
  lead: string
  icon?: string
  benefits: ReadonlyArray<{ title: string; text: string }>
  steps: ReadonlyArray<{ title: string; text: string }>
  questions: ReadonlyArray<{ question: string; answer: string }>
  /** Comparison pages only: the other product, and the table as an island. */
  product?: string
  comparison?: IslandUse
  html: string
  foreign?: LocaleCode
}

/** Rows of a comparison. A cell without `theirs` was not verified. */
export type Comparison = {
  product: string
  foreign?: LocaleCode
  rows: ReadonlyArray<{
    feature: string
    ours: string
    theirs?: { text: string; source: string; checked: string }
  }>
}

export type ReleaseFile = { system: System; url: string; sha256: string; size: number }
export type Pagination = { page: number; pages: number; total: number; base: string }

export type PageData = {
  static: null
  home: {
    solutions: readonly Card[]
    features: readonly Card[]
    industries: readonly Card[]
    posts: readonly Card[]
  }
  links: {
    groups: ReadonlyArray<{
      key: 'pages' | 'features' | 'solutions' | 'industries' | 'alternatives' | 'docs'
      items: readonly Card[]
    }>
  }
  icons: null
  download: {
    release: {
      id: string
      href: string
      date: string
      files: readonly ReleaseFile[]
      /** How a download is checked, by system. */ verify: { windows: IslandUse; mac: IslandUse }
    } | null
  }
  articles: {
    collection: 'blog' | 'news'
    items: readonly Card[]
    pagination: Pagination
    category: Labelled | null
    tags: readonly string[]
    categories: readonly Labelled[]
    tagLinks: readonly Labelled[]
  }
  article: {
    article: Article
    previous: Card | null
    next: Card | null
    sidebar: readonly SidebarSection[]
    related: IslandUse | null
  }
  sections: { collection: 'guide' | 'helps'; sections: readonly SidebarSection[] }
  landing: { landing: Landing; related: readonly Card[] }
  landings: { items: readonly Card[] }
  partners: { items: readonly Card[] }
  releases: { list: IslandUse; pagination: Pagination }
  release: {
    article: Article
    files: readonly ReleaseFile[]
    previous: Card | null
    next: Card | null
  }
  single:
    | { kind: 'landing'; landing: Landing; related: readonly Card[] }
    | { kind: 'text'; article: Article }
  error: {
    status: 404 | 502
    message: string
    path: string
    /** Pages called like the address that led nowhere, and the page itself in the languages that have it. */
    nearest?: readonly Card[]
    elsewhere?: ReadonlyArray<{ code: LocaleCode; href: string }>
  }
}
export type PageKind = keyof PageData
