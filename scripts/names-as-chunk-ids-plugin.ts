import type { Compiler } from 'webpack'

const pluginName = 'NamesAsChunkIdsPlugin'

/**
 * Makes the name of a chunk its id. By default ids are numbers, and the entry script, which every
 * page loads, contains a table that translates each number into the name of its file.
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
