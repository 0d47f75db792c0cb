/**
 * All islands by name. Only the server's bundle imports this folder; pages import its style sheets.
 */
import type { ComponentType } from 'react'
import type { IslandName } from '../../shared/islands'
import { ComparisonTable } from './ComparisonTable'
import { HighlightedCode } from './HighlightedCode'
import { RelatedArticles } from './RelatedArticles'
import { ReleaseList } from './ReleaseList'
import type { IslandProps } from './island-props'

// Each component takes the data that its row in the server's island table loads; `never` accepts
// all.
export const islands: Readonly<Record<IslandName, ComponentType<IslandProps<never>>>> = {
  ComparisonTable,
  HighlightedCode,
  RelatedArticles,
  ReleaseList,
}
