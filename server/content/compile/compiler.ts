import { existsSync } from 'node:fs'
import type { LocaleCode } from '../../../shared/i18n/locales'
import type { Product } from '../../../shared/product-schema'
import { readGeneration, type Connection } from '../database'
import { referencesOf, referencesStamp, type References } from '../references'
import type { SiteConfig } from '../site-config'
import { createArticleFilesCompiler, type Facts } from './compile-article-files'
import { createOpenApiCompiler } from './compile-openapi'
import { createRedirectTableCompiler, createSiteFilesCompiler } from './compile-site-files'
import { createTextCompiler } from './compile-texts'
import type { Problem } from './front-matter'
import { createGenerationWriter } from './generation-writer'
import { createShadowReporter } from './report-shadowed'
import { createSourceFiles, type CompilePass, type Sources } from './source-files'
import { createArticleWriter } from './write-articles'
import { createConvertedWriter } from './write-converted'
import { createOutlineWriter } from './write-outline'
import { createSearchPageWriter } from './write-search-pages'

export type Report = {
  compiled: number
  removed: number
  unchanged: number
  problems: Problem[]
  generation: number
  changed: boolean
  /** All folders of the sources, so that they can be watched. */
  folders: string[]
  milliseconds: number
}

/**
 * The report of a run that finds no content folder. Such a run changes nothing, because the folder
 * may be a mount that is missing for a while.
 */
const reportMissingFolder = (generation: number): Report => ({
  compiled: 0,
  removed: 0,
  unchanged: 0,
  generation,
  problems: [
    {
      file: 'content',
      line: 1,
      reason: 'the folder is missing; what was compiled before is served until it is back',
    },
  ],
  changed: false,
  folders: [],
  milliseconds: 0,
})

const createPass = (): CompilePass => ({
  tags: new Set(),
  compiled: 0,
  unchanged: 0,
  removed: 0,
})

/** The facts that texts may name. Those of a language are computed when a text first needs them. */
function factsOf(config: SiteConfig, product: Product): Facts {
  const byLocale = new Map<LocaleCode, References>()
  return {
    stamp: referencesStamp(config, product),
    in(locale) {
      const facts = byLocale.get(locale) ?? referencesOf(config, product, locale)
      byLocale.set(locale, facts)
      return facts
    },
  }
}

/**
 * Counts the articles of each list again, in the collections that changed. The changes themselves
 * are public already, as generation `generation`. Where counts differ from before, they become
 * public as the next generation, which purges the pages of these collections once more: a page that
 * was rendered in between shows the old counts. Returns the number of the current generation.
 */
function refreshOutline(
  outline: ReturnType<typeof createOutlineWriter>,
  generations: ReturnType<typeof createGenerationWriter>,
  generation: number,
): number {
  const { counted, changed } = outline.refresh()
  return counted.length === 0 ? generation : generations.start(generation + 1, changed)
}

/**
 * Brings the content database up to date with `content/` and `locales/`. It reads only files whose
 * size or time changed, and compiles only those whose content changed. All changes become visible
 * at once, as a new generation with the surrogate tags of what changed. `under` limits a run to
 * some folders of articles; '' is all of `content/`.
 */
export function createCompiler(
  db: Connection,
  sources: Sources,
): (under?: readonly string[]) => Report {
  const files = createSourceFiles(db)
  const writer = createArticleWriter(db)
  const writeConverted = createConvertedWriter(db, writer)
  const outline = createOutlineWriter(db)
  const generations = createGenerationWriter(db)
  const writeSearchPages = createSearchPageWriter(db, sources)
  const compileArticles = createArticleFilesCompiler(sources, files, writer)
  const compileTexts = createTextCompiler(db, sources.locales, files)
  const compileOpenApi = createOpenApiCompiler(db, sources, files, writer)
  const siteFiles = createSiteFilesCompiler(db, sources, files)
  const reportShadowed = createShadowReporter(db, sources, files)
  const compileRedirectTable = createRedirectTableCompiler(db, sources, files)

  function compileSources(pass: CompilePass, under: readonly string[]): string[] {
    const config = siteFiles.compileSiteConfig(pass)
    const facts = factsOf(config, siteFiles.compileProduct(pass))
    // Every article may name the brand and other facts; those that name a changed one are compiled.
    const scope = pass.tags.has('site') ? [''] : under
    const folders = [...compileTexts(pass), ...compileArticles(pass, facts, scope)]
    compileOpenApi(pass, facts)
    writeSearchPages(facts, pass.tags)
    for (const tag of writer.publishDue(Date.now())) pass.tags.add(tag)
    const changed = writer.takeChanged()
    for (const tag of writeConverted(changed)) pass.tags.add(tag)
    reportShadowed(pass)
    // After the articles: the table depends on which of them are published.
    compileRedirectTable(pass, config.pre_sales)
    for (const tag of writer.tagsOfNewLinks(changed)) pass.tags.add(tag)
    outline.markStale(pass.tags)
    return folders
  }

  /** Publishes what a run has changed. Returns the number of the current generation. */
  function finishGeneration({ tags }: CompilePass): number {
    const previous = readGeneration(db)
    // The first generation needs the counts of all lists; later ones are visible before them.
    if (previous === 0) outline.refresh()
    if (previous > 0 && tags.size === 0) return previous
    return generations.start(previous + 1, [...tags])
  }

  return (under = ['']) => {
    const started = performance.now()
    const current = readGeneration(db)
    if (current > 0 && !existsSync(sources.content)) return reportMissingFolder(current)
    const pass = createPass()
    const { folders, generation } = db.transaction(() => ({
      folders: compileSources(pass, under),
      generation: finishGeneration(pass),
    }))()
    const { tags, ...counts } = pass
    return {
      ...counts,
      generation: db.transaction(refreshOutline)(outline, generations, generation),
      problems: files.problems(),
      changed: tags.size > 0,
      folders,
      milliseconds: performance.now() - started,
    }
  }
}
