import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WarmPaths } from '../shared/routes/warm-paths'
import type { SnippetHtml } from '../shared/snippets'

/** Files of one entry or page, as addresses below `/assets/`. */
export type AssetGroup = { js: readonly string[]; css: readonly string[] }
/** What the build wrote beside its output: read once at start. */
export type Build = {
  /** Hash of sources, lock and build settings: equal on every machine. */
  id: string
  /** When it was built (ms since 1970); clients react only to a later one. */
  timestamp: number
  /** Changes when the content compiler does. */
  compiler: string
  /** Paths to render before anybody asks for them, by language host. */
  warm: WarmPaths
  /** Commands of the interface, highlighted. */
  snippets: SnippetHtml
  assets: {
    main: AssetGroup
    pages: Readonly<Record<string, AssetGroup>>
    files: Readonly<Record<string, string>>
  }
  /** Folder of the build: `client/` is served, `server/` holds the bundles. */
  folder: string
}

/** Reads the build that the running bundle belongs to. Throws when its files are missing. */
export function readBuild(folder: string): Build {
  const info = JSON.parse(readFileSync(join(folder, 'build.json'), 'utf8')) as Omit<
    Build,
    'folder' | 'assets'
  >
  const assets = JSON.parse(readFileSync(join(folder, 'assets.json'), 'utf8')) as Build['assets']
  return { ...info, assets, folder }
}
