/** Every server-rendered fragment by name. Only the server's bundle imports this file. */
import { RelatedArticles } from './RelatedArticles'

export const islands = { RelatedArticles }
