import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sources, type Compiler, type Stats } from 'webpack'
import { readIcons, writeViewBoxes } from './icon-view-boxes'

type AssetGroup = { js: string[]; css: string[] }

/** Combines the icons into one SVG file of symbols. Throws with the name of an invalid icon. */
export function buildSprite(folder: string): string {
  const symbols = readIcons(folder).map(({ name, viewBox, attributes, content }) => {
    const drawing = Array.from(
      attributes.matchAll(/\b(fill|stroke|stroke-width|stroke-linecap|stroke-linejoin)="[^"]*"/g),
      ([attribute]) => attribute,
    ).join(' ')
    return `<symbol id="${name}" viewBox="${viewBox}" ${drawing}>${content}</symbol>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join('')}</svg>\n`
}

/** The URLs of scripts and styles. Files of hot updates are left out. */
function toGroup(assets: ReadonlyArray<{ name: string }> = []): AssetGroup {
  const urls = assets
    .map(({ name }) => `/assets/${name}`)
    .filter((url) => !url.includes('.hot-update.'))
  return {
    js: urls.filter((url) => url.endsWith('.js')),
    css: urls.filter((url) => url.endsWith('.css')),
  }
}

function writeManifest(file: string, stats: Stats, sprite: string): void {
  const { entrypoints, namedChunkGroups } = stats.toJson({
    all: false,
    chunkGroups: true,
    entrypoints: true,
  })
  const pages = Object.entries(namedChunkGroups ?? {}).flatMap(
    ([name, { assets }]): Array<[string, AssetGroup]> => {
      const page = /^page-(\w+)-tsx$/.exec(name)?.[1]
      return page ? [[page, toGroup(assets)]] : []
    },
  )
  const manifest = {
    main: toGroup(entrypoints?.['main']?.assets),
    pages: Object.fromEntries(pages),
    files: { 'sprite.svg': `/assets/${sprite}` },
  }
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(manifest))
}

const pluginName = 'AssetManifestPlugin'

/**
 * Emits the icon sprite under a hashed name, and writes `assets.json`: the scripts and styles of
 * the entry and of each page.
 */
export class AssetManifestPlugin {
  constructor(private readonly options: { root: string; file: string }) {}

  apply(compiler: Compiler): void {
    const { root, file } = this.options
    const icons = join(root, 'client', 'icons')
    const stage = compiler.webpack.Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL
    let sprite = ''
    // Before the compilation, so that a new icon has its type in the same build.
    writeViewBoxes(root)
    compiler.hooks.thisCompilation.tap(pluginName, (compilation) => {
      compilation.contextDependencies.add(icons)
      compilation.hooks.processAssets.tap({ name: pluginName, stage }, () => {
        const source = buildSprite(icons)
        sprite = `sprite.${createHash('sha256').update(source).digest('hex').slice(0, 10)}.svg`
        compilation.emitAsset(sprite, new sources.RawSource(source))
      })
    })
    compiler.hooks.done.tap(pluginName, (stats) => writeManifest(file, stats, sprite))
  }
}

/** Writes the scripts and styles of one entry, `console-assets.json` for the owner's console. */
export class EntryManifestPlugin {
  constructor(private readonly options: { entry: string; file: string }) {}

  apply(compiler: Compiler): void {
    const { entry, file } = this.options
    compiler.hooks.done.tap('EntryManifestPlugin', (stats) => {
      const { entrypoints } = stats.toJson({ all: false, entrypoints: true })
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, JSON.stringify(toGroup(entrypoints?.[entry]?.assets)))
    })
  }
}
