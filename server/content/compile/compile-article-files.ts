import type { LocaleCode } from '../../../shared/i18n/locales'
import { namedFacts, type References } from '../references'
import { compileArticle, sourceHash } from './compile-article'
import { parseContentPath } from './content-path'
import { createDiagramReader } from './read-diagram'
import { createPictureReader, isPictureFile, pictureStamp } from './read-picture'
import { scanTree, type SourceFile } from './scan-tree'
import type { CompilePass, SourceFiles, Sources } from './source-files'
import type { createArticleWriter } from './write-articles'

/** What articles may name; `stamp` changes with it. */
export type Facts = { stamp: string; in: (locale: LocaleCode) => References }

const isArticle = (path: string): boolean => path.endsWith('.md')
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))

function groupByFolder(files: readonly SourceFile[]): Map<string, SourceFile[]> {
  const groups = new Map<string, SourceFile[]>()
  for (const file of files) {
    const folder = folderOf(file.path)
    const group = groups.get(folder)
    if (group) group.push(file)
    else groups.set(folder, [file])
  }
  return groups
}

/** Compiles the Markdown files of `content/`. */
export function createArticleFilesCompiler(
  sources: Sources,
  files: SourceFiles,
  writer: ReturnType<typeof createArticleWriter>,
) {
  const compileFile = createFileCompiler(sources, files, writer)

  function compileFolder(pass: CompilePass, facts: Facts, folder: string): string[] {
    const factsStamp = sourceHash(facts.stamp, '').slice(0, 8)
    const scanned = scanTree(
      sources.content,
      (path) => isArticle(path) || isPictureFile(path),
      folder,
    )
    const articles = scanned.files.filter(({ path }) => isArticle(path))
    const pictures = groupByFolder(scanned.files.filter(({ path }) => isPictureFile(path)))
    for (const file of articles) {
      const pictureFiles = pictures.get(folderOf(file.path)) ?? []
      const salt = sourceHash(pictureStamp(pictureFiles), sources.compiler).slice(0, 8)
      compileFile(pass, facts, { stamp: `${factsStamp}:${salt}`, salt }, file)
    }
    const prefix = folder === '' ? 'content/' : `content/${folder}/`
    const existing = new Set(articles.map(({ path }) => `content/${path}`))
    for (const key of files.removeMissing(prefix, existing)) {
      for (const tag of writer.remove(key)) pass.tags.add(tag)
      pass.removed += 1
    }
    return scanned.folders
  }

  /**
   * Compiles what has changed below the folders `under`, '' being all of `content/`. Returns all
   * folders below them, so that they can be watched.
   */
  return (pass: CompilePass, facts: Facts, under: readonly string[]): string[] =>
    under.flatMap((folder) => compileFolder(pass, facts, folder))
}

function createFileCompiler(
  sources: Sources,
  files: SourceFiles,
  writer: ReturnType<typeof createArticleWriter>,
) {
  const readPictures = createPictureReader(sources)
  const readDiagrams = createDiagramReader(sources.content)
  return (
    pass: CompilePass,
    facts: Facts,
    { stamp, salt }: { stamp: string; salt: string },
    file: SourceFile,
  ): void => {
    const article = parseContentPath(file.path)
    if (!article) return
    const key = `content/${file.path}`
    const saltOf = (source: string): string =>
      'reason' in article ? salt : salt + namedFacts(source, facts.in(article.locale))
    const changed = files.readChanged(key, sources.content, file, stamp, saltOf)
    if (!changed) {
      pass.unchanged += 1
      return
    }
    pass.compiled += 1
    const { source, hash } = changed
    const result =
      'reason' in article
        ? [{ file: key, line: 1, reason: article.reason }]
        : compileArticle(
            key,
            article,
            source,
            facts.in(article.locale),
            readPictures(article),
            readDiagrams(article),
          )
    const isLeftOut = Array.isArray(result)
    files.report(key, isLeftOut ? result : result.problems)
    for (const tag of isLeftOut ? writer.remove(key) : writer.save(key, hash, result))
      pass.tags.add(tag)
    if (isLeftOut) return
    const { collection, id, locale } = result
    pass.written.push({ collection, id, locale })
  }
}
