import type { References } from '../references'
import { compileArticle } from './compile-article'
import type { ArticleKey } from './content-path'
import type { Problem } from './front-matter'
import { prepareArticle, type PreparedArticle } from './prepare-article'
import { createDiagramReader } from './read-diagram'
import { createPictureReader } from './read-picture'
import type { Sources } from './source-files'

/** One Markdown file to compile: its path, text, and the facts that it may name. */
export type CompileJob = { path: string; key: ArticleKey; source: string; references: References }

/** What a file was compiled to. Without an article, the problems say why it was left out. */
export type CompiledFile = { article: PreparedArticle | null; problems: readonly Problem[] }

/** Compiles Markdown files, without the database: in the content process and in its threads. */
export function createFileCompiler(
  sources: Pick<Sources, 'content' | 'public'>,
): (job: CompileJob) => CompiledFile {
  const readPictures = createPictureReader(sources)
  const readDiagrams = createDiagramReader(sources.content)
  return ({ path, key, source, references }) => {
    const result = compileArticle(
      path,
      key,
      source,
      references,
      readPictures(key),
      readDiagrams(key),
    )
    return Array.isArray(result)
      ? { article: null, problems: result }
      : { article: prepareArticle(result), problems: result.problems }
  }
}
