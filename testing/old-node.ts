/** A Node version that the site no longer supports: the system's, or one from the npm registry. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { isSupported } from '../scripts/supported-node.cjs'

const wanted = '20.20.2'

const versionOf = (node: string): string =>
  execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()

function systemNode(): string | undefined {
  const folders = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
  return folders
    .map((folder) => join(folder, 'node'))
    .find((node) => existsSync(node) && !isSupported(versionOf(node)))
}

/** Downloaded once: the temporary folder is kept between runs. */
function registryNode(): string {
  const name = `node-${process.platform}-${process.arch}`
  const folder = join(tmpdir(), `site-node-${wanted}`)
  const node = join(folder, 'node_modules', name, 'bin', 'node')
  if (!existsSync(node)) {
    mkdirSync(folder, { recursive: true })
    execFileSync('npm', [
      'install',
      '--ignore-scripts',
      '--no-save',
      '--loglevel=error',
      '--prefix',
      folder,
      `${name}@${wanted}`,
    ])
  }
  return node
}

export const oldNode = (): string => systemNode() ?? registryNode()
