import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WarmPaths } from '../shared/routes/warm-paths'
import type { SnippetHtml } from '../shared/snippets'

/** Files of one entry or page, as URL paths below `/assets/`. */
export type AssetGroup = { js: readonly string[]; css: readonly string[] }
/** What the build has recorded about itself. */
export type Build = {
  /** A hash of sources, lock file and build settings; equal on every machine. */
  id: string
  /** When it was built (ms since 1970). Clients react only to a later one. */
  timestamp: number
  /** Changes with the content compiler. */
  compiler: string
  /** Changes with the rules of URLs. */
  routes: string
  /** Paths to render before the first visitor requests them, by language host. */
  warm: WarmPaths
  /** The interface's code snippets as highlighted HTML. */
  snippets: SnippetHtml
  assets: {
    main: AssetGroup
    pages: Readonly<Record<string, AssetGroup>>
    files: Readonly<Record<string, string>>
    /** The owner's console, which no visitor's page loads. */
    console: AssetGroup
  }
  /** The folder of the build: `client/` with the served files, `server/` with the bundles. */
  folder: string
}

/** Reads the build that the running bundle belongs to. Throws when its files are missing. */
export function readBuild(folder: string): Build {
  const readJson = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'))
  // The same build wrote these files (`scripts/build.ts`), so their shape is known.
  const info = readJson('build.json') as Omit<Build, 'folder' | 'assets'>
  const assets = readJson('assets.json') as Omit<Build['assets'], 'console'>
  const console = readJson('console-assets.json') as AssetGroup
  return { ...info, assets: { ...assets, console }, folder }
}
