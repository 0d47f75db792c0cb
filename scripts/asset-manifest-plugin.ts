import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Compiler, sources } from 'webpack'
import { readIcons, writeViewBoxes } from './icon-view-boxes'

type Group = { js: string[]; css: string[] }

/** Icons as one file of symbols. Fails by name where a file is no icon. */
export function makeSprite(folder: string): string {
  const symbols = readIcons(folder).map(({ name, viewBox, attributes, content }) => {
    const kept = Array.from(
      attributes.matchAll(/\b(fill|stroke|stroke-width|stroke-linecap|stroke-linejoin)="[^"]*"/g),
      ([attribute]) => attribute,
    ).join(' ')
    return `<symbol id="${name}" viewBox="${viewBox}" ${kept}>${content}</symbol>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join('')}</svg>\n`
}

/** Writes which files the entry and each page need, and the icons' sprite under a hashed name. */
export class AssetManifestPlugin {
  constructor(private readonly options: { root: string; file: string }) {}

  apply(compiler: Compiler): void {
    const icons = join(this.options.root, 'client', 'icons')
    let sprite = ''
    // A new icon is known by its name in the same build.
    writeViewBoxes(this.options.root)
    compiler.hooks.thisCompilation.tap('AssetManifestPlugin', (compilation) => {
      compilation.contextDependencies.add(icons)
      compilation.hooks.processAssets.tap(
        {
          name: 'AssetManifestPlugin',
          stage: compiler.webpack.Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL,
        },
        () => {
          const source = makeSprite(icons)
          sprite = `sprite.${createHash('sha256').update(source).digest('hex').slice(0, 10)}.svg`
          compilation.emitAsset(sprite, new sources.RawSource(source))
        },
      )
    })
    compiler.hooks.done.tap('AssetManifestPlugin', (stats) => {
      const groups = stats.toJson({ all: false, chunkGroups: true, entrypoints: true })
      const group = (assets: ReadonlyArray<{ name: string }> = []): Group => {
        const names = assets
          .map(({ name }) => `/assets/${name}`)
          .filter((name) => !name.includes('.hot-update.'))
        return {
          js: names.filter((name) => name.endsWith('.js')),
          css: names.filter((name) => name.endsWith('.css')),
        }
      }
      const pages = Object.entries(groups.namedChunkGroups ?? {}).flatMap(
        ([name, { assets }]): Array<[string, Group]> => {
          const page = /^page-(\w+)-tsx$/.exec(name)?.[1]
          return page ? [[page, group(assets)]] : []
        },
      )
      mkdirSync(dirname(this.options.file), { recursive: true })
      writeFileSync(
        this.options.file,
        JSON.stringify({
          main: group(groups.entrypoints?.['main']?.assets),
          pages: Object.fromEntries(pages),
          files: { 'sprite.svg': `/assets/${sprite}` },
        }),
      )
    })
  }
}
