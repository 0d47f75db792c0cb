/**
 * All islands by name. Only the server's bundle imports this folder; pages import its style sheets.
 */
import type { ComponentType } from 'react'
import type { IslandName } from '../../shared/islands'
import { ComparisonTable } from './ComparisonTable'
import { DownloadFiles } from './DownloadFiles'
import { HighlightedCode } from './HighlightedCode'
import { LandingBody } from './LandingBody'
import { LandingHeroPicture } from './LandingHeroPicture'
import { RelatedArticles } from './RelatedArticles'
import { ReleaseList } from './ReleaseList'
import { SimilarPages } from './SimilarPages'
import type { IslandProps } from './island-props'

// Each component takes the data that its row in the server's island table loads; `never` accepts
// all.
export const islands: Readonly<Record<IslandName, ComponentType<IslandProps<never>>>> = {
  ComparisonTable,
  DownloadFiles,
  HighlightedCode,
  LandingBody,
  LandingHeroPicture,
  RelatedArticles,
  ReleaseList,
  SimilarPages,
}
