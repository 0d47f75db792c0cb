/** Every server-rendered fragment by name. Only the server's bundle imports this folder; pages import its style sheets. */
import type { ComponentType } from 'react'
import type { LocaleCode } from '../../shared/i18n/locales'
import type { IslandName } from '../../shared/islands'
import { ComparisonTable } from './ComparisonTable'
import { HighlightedCode } from './HighlightedCode'
import { RelatedArticles } from './RelatedArticles'
import { ReleaseList } from './ReleaseList'

/** What an island receives: its data, and of the site what it may show. There is no page around it. */
export type IslandProps<D> = { data: D; locale: LocaleCode; brand: string }

// Each island takes the data of its own row in the server's table, which the type system cannot follow.
export const islands: Readonly<Record<IslandName, ComponentType<IslandProps<never>>>> = { ComparisonTable, HighlightedCode, RelatedArticles, ReleaseList }
