/** Every server-rendered fragment by name. Only the server's bundle imports this folder; pages import its style sheets. */
import type { ComponentType } from 'react'
import type { IslandName } from '../../shared/islands'
import { ComparisonTable } from './ComparisonTable'
import { HighlightedCode } from './HighlightedCode'
import { RelatedArticles } from './RelatedArticles'
import { ReleaseList } from './ReleaseList'
import type { ShownIsland } from './shown-island'

// Each island takes the data of its own row in the server's table, which the type system cannot follow.
export const islands: Readonly<Record<IslandName, ComponentType<ShownIsland<never>>>> = {
  ComparisonTable,
  HighlightedCode,
  RelatedArticles,
  ReleaseList,
}
