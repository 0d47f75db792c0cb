/**
 * Data that loaders pass to pages: one type for each kind of `Load` in the route table. Plain JSON
 * without visitor data, because all visitors share it.
 */
import type { System } from './front-matter'
import type { Picture } from './images'
import type { LocaleCode } from './i18n/locales'
import type { IslandUse } from './islands'
import type { Plan } from './plans'

/** Picture of an article, and its alternative text. */
export type Cover = Picture & { alt: string }

/** The language of an entry's text where it is not the page's language. */
export type ForeignText = {
  /** Language that the text was written in. */
  locale: LocaleCode
  /** Value of the text's `lang` attribute. */
  lang: string
  /**
   * Name of `locale` in the page's language. The server sends it, because browsers may use other
   * words, and hydration would differ.
   */
  name: string
  /** The script was converted to that of the page (spec 5.4). */
  converted?: true
}

/**
 * A day, and its text in the page's language. The server formats dates and numbers: creating the
 * first format of `Intl` takes a browser 25 ms, and a phone several times as long (decision 123).
 */
export type LocalDay = {
  /** ISO */
  day: string
  text: string
}

/** A plan. `limits` holds its numbers as the page's language writes them. */
export type ShownPlan = Plan & {
  limits: { profiles: string; people: string; logDays: string }
}

/** A link to an entry, as lists, menus and teasers show it. */
export type Card = {
  id: string
  href: string
  title: string
  /** Absent where only titles are shown. */
  description?: string | undefined
  date?: LocalDay
  category?: Labeled
  icon?: string | undefined
  cover?: Cover
  /** Language of the linked text where it is not the page's: the link is marked "(English)". */
  foreign?: LocaleCode | undefined
  /**
   * Name of that language in the page's language. Set where the title is a text of the interface,
   * so that only the mark tells the language of the linked text.
   */
  mark?: string | undefined
}

export type Labeled = { id: string; label: string; href?: string }
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
  date?: LocalDay
  updated?: LocalDay
  author?: string
  authorUrl?: string
  /** All parts of the series; this one has no link. */
  series?: ReadonlyArray<{ id: string; title: string; href: string | null }>
  category?: Labeled
  tags: readonly Labeled[]
  minutes: number
  foreign?: ForeignText
  /** Version of the client since which the text holds. */
  since?: string
  /** URL where this text can be edited. */
  edit?: string
  /** Set where the original was changed after this translation, on that day. */
  outdated?: { source: LocaleCode; changed: LocalDay }
}

export type SidebarSection = { label: string; items: readonly Card[] }

export type Landing = {
  collection: string
  id: string
  title: string
  description: string
  lead: string
  icon?: string
  /** The picture and the sections. Pages without sections have benefits and steps. */
  picture?: IslandUse
  sections?: IslandUse
  benefits: ReadonlyArray<{ title: string; text: string }>
  steps: ReadonlyArray<{ title: string; text: string }>
  questions: ReadonlyArray<{ question: string; answer: string }>
  /** Comparison pages only: the other product, and the table. */
  product?: string
  comparison?: IslandUse
  /** Whether the table has statements about the other product. */
  hasStatements?: boolean
  html: string
  foreign?: ForeignText
}

export type LandingData = {
  landing: Landing
  related: readonly Card[]
  documents: readonly Card[]
}

/** Rows of a comparison. `theirs` is a public statement that was checked recently. */
export type Comparison = {
  product: string
  foreign?: ForeignText
  rows: ReadonlyArray<{
    feature: string
    ours: string
    theirs?: { text: string; source: string; checked: string }
  }>
}

/** A file of a release. A backend may name its URL only. */
export type ListedFile = {
  system: System
  url: string
  sha256?: string
  /** As the page's language writes it: "85 MB" (see `LocalDay`). */
  size?: string
  /** A stand-in that is delivered with the site, until there is a real program. */
  sample?: boolean | undefined
}
export type Pagination = { page: number; pages: number; total: number; base: string }

export type PageData = {
  static: null
  home: {
    solutions: readonly Card[]
    features: readonly Card[]
    industries: readonly Card[]
    posts: readonly Card[]
    /** Comparisons with other products that the language offers. */
    comparisons: ReadonlyArray<{ href: string; product: string }>
  }
  links: {
    groups: ReadonlyArray<{
      key: 'pages' | 'features' | 'solutions' | 'industries' | 'alternatives' | 'docs'
      items: readonly Card[]
    }>
  }
  icons: null
  plans: {
    plans: readonly ShownPlan[]
    /** A year costs this many months. */
    paidMonthsPerYear: number
    /** Share of the payments of a referred customer. */
    referralPercent: number
  }
  download: {
    release: {
      id: string
      href: string
      date: LocalDay
      files: readonly ListedFile[]
      /** The same files, or those that the operator's backend names. */
      list: IslandUse
      /** Commands that verify a download. */
      verify: { windows: IslandUse; mac: IslandUse }
      /** The name in the signature of the files; empty: the operator has not set it. */
      publisher: string
    } | null
  }
  articles: {
    collection: 'blog' | 'news'
    items: readonly Card[]
    pagination: Pagination
    category: Labeled | null
    tags: readonly string[]
    categories: readonly Labeled[]
    tagLinks: readonly Labeled[]
  }
  article: {
    article: Article
    previous: Card | null
    next: Card | null
    sidebar: readonly SidebarSection[]
    related: IslandUse | null
  }
  sections: { collection: 'guide' | 'helps'; sections: readonly SidebarSection[] }
  landing: LandingData
  landings: { items: readonly Card[] }
  partners: { items: readonly Card[] }
  releases: { list: IslandUse; pagination: Pagination }
  release: {
    article: Article
    files: readonly ListedFile[]
    previous: Card | null
    next: Card | null
  }
  single: ({ kind: 'landing' } & LandingData) | { kind: 'text'; article: Article }
  error: {
    status: 404 | 502
    message: string
    path: string
    /** Pages whose names resemble the path. */
    nearest?: IslandUse
    /** The page itself in the languages that have it. */
    elsewhere?: ReadonlyArray<{ code: LocaleCode; href: string }>
  }
}
export type PageKind = keyof PageData
