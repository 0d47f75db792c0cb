/**
 * Data that loaders pass to pages: one type for each kind of `Load` in the route table. Plain JSON
 * without visitor data, because all visitors share it.
 */
import type { System } from './front-matter'
import type { Picture } from './images'
import type { LocaleCode } from './i18n/locales'
import type { IslandUse } from './islands'

/** Picture of an article, and its alternative text. */
export type Cover = Picture & { alt: string }

/** A link to an entry, as lists, menus and teasers show it. */
export type Card = {
  id: string
  href: string
  title: string
  description: string
  /** ISO day */
  date?: string
  category?: Labelled
  tags?: readonly string[]
  icon?: string
  cover?: Cover
  /** Language of the linked text where it is not the page's: the link is marked "(English)". */
  foreign?: LocaleCode
  /**
   * Name of that language in the page's language. Set where the title is a text of the interface,
   * so that only the mark tells the language of the linked text.
   */
  mark?: string
}

export type Labelled = { id: string; label: string; href?: string }
export type Heading = { depth: number; id: string; text: string }

/** An entry whose text was rendered when the content was compiled. */
export type Article = {
  collection: string
  id: string
  title: string
  description: string
  /** Safe HTML. Empty at hydration, which keeps the server's markup. */
  html: string
  headings: readonly Heading[]
  cover?: Cover
  date?: string
  updated?: string
  author?: string
  authorUrl?: string
  /** All parts of the series; this one has no link. */
  series?: ReadonlyArray<{ id: string; title: string; href: string | null }>
  category?: Labelled
  tags: readonly Labelled[]
  minutes: number
  foreign?: LocaleCode
  /** URL where this text can be edited. */
  edit?: string
  /** Set where the original was changed after this translation, on that ISO day. */
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
  /** Comparison pages only: the other product, and the table. */
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
      /** Commands that verify a download. */
      verify: { windows: IslandUse; mac: IslandUse }
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
    /** Pages whose names resemble the path. */
    nearest?: readonly Card[]
    /** The page itself in the languages that have it. */
    elsewhere?: ReadonlyArray<{ code: LocaleCode; href: string }>
  }
}
export type PageKind = keyof PageData
