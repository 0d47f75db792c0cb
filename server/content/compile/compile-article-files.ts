import type { LocaleCode } from '../../../shared/i18n/locales'
import { namedFacts, type References } from '../references'
import { sourceHash } from './compile-article'
import type { CompiledFile } from './compile-file'
import { createCompileThreads } from './compile-threads'
import { parseContentPath } from './content-path'
import { isPictureFile, pictureStamp } from './read-picture'
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
  const threads = createCompileThreads(sources)
  const startFile = createFileStarter(sources, files, writer, threads)

  function compileFiles(
    pass: CompilePass,
    facts: Facts,
    articles: readonly SourceFile[],
    pictures: ReadonlyMap<string, SourceFile[]>,
  ): void {
    const factsStamp = sourceHash(facts.stamp, '').slice(0, 8)
    const started: Array<() => void> = []
    for (const file of articles) {
      const pictureFiles = pictures.get(folderOf(file.path)) ?? []
      const salt = sourceHash(pictureStamp(pictureFiles), sources.compiler).slice(0, 8)
      const finish = startFile(pass, facts, { stamp: `${factsStamp}:${salt}`, salt }, file)
      if (finish) started.push(finish)
      if (started.length > threads.maxPending) started.shift()?.()
    }
    for (const finish of started) finish()
  }

  function compileFolder(pass: CompilePass, facts: Facts, folder: string): string[] {
    const scanned = scanTree(
      sources.content,
      (path) => isArticle(path) || isPictureFile(path),
      folder,
    )
    const articles = scanned.files.filter(({ path }) => isArticle(path))
    const pictures = scanned.files.filter(({ path }) => isPictureFile(path))
    compileFiles(pass, facts, articles, groupByFolder(pictures))
    for (const key of files.removeMissing('content', folder, scanned)) {
      for (const tag of writer.remove(key)) pass.tags.add(tag)
      pass.removed += 1
    }
    return scanned.folders
  }

  /**
   * Compiles what has changed below the folders `under`, '' being all of `content/`. Returns all
   * folders below them, so that they can be watched.
   */
  return (pass: CompilePass, facts: Facts, under: readonly string[]): string[] => {
    try {
      return under.flatMap((folder) => compileFolder(pass, facts, folder))
    } finally {
      threads.stop()
    }
  }
}

/**
 * Starts to compile a file. The returned function waits for the result and writes it; it is null
 * for a file that has not changed.
 */
function createFileStarter(
  sources: Sources,
  files: SourceFiles,
  writer: ReturnType<typeof createArticleWriter>,
  threads: ReturnType<typeof createCompileThreads>,
) {
  function write(
    pass: CompilePass,
    path: string,
    hash: string,
    { article, problems }: CompiledFile,
  ): void {
    files.report(path, problems)
    for (const tag of article ? writer.save(path, hash, article) : writer.remove(path))
      pass.tags.add(tag)
  }

  return (
    pass: CompilePass,
    facts: Facts,
    { stamp, salt }: { stamp: string; salt: string },
    file: SourceFile,
  ): (() => void) | null => {
    const key = parseContentPath(file.path)
    if (!key) return null
    const path = `content/${file.path}`
    const saltOf = (source: string): string =>
      'reason' in key ? salt : salt + namedFacts(source, facts.in(key.locale))
    const changed = files.readChanged(path, sources.content, file, stamp, saltOf)
    if (!changed) {
      pass.unchanged += 1
      return null
    }
    pass.compiled += 1
    const { source, hash } = changed
    if ('reason' in key) {
      const problems = [{ file: path, line: 1, reason: key.reason }]
      return () => write(pass, path, hash, { article: null, problems })
    }
    const finishJob = threads.start({ path, key, source, references: facts.in(key.locale) })
    return () => write(pass, path, hash, finishJob())
  }
}
