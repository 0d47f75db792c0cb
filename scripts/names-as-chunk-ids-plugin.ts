import type { Compiler } from 'webpack'

const pluginName = 'NamesAsChunkIdsPlugin'

/**
 * Gives each chunk with a name this name as id. With numbers, the entry script, which every page
 * loads, would contain a table from id to name.
 */
export class NamesAsChunkIdsPlugin {
  apply(compiler: Compiler): void {
    compiler.hooks.thisCompilation.tap(pluginName, (compilation) => {
      // Before webpack's own plugin, which numbers the chunks without an id.
      compilation.hooks.chunkIds.tap({ name: pluginName, stage: -1 }, (chunks) => {
        for (const chunk of chunks) {
          if (!chunk.name) continue
          chunk.id = chunk.name
          chunk.ids = [chunk.name]
        }
      })
    })
  }
}
