// Computes the build id: a hash of sources, lock file and build settings, equal on every machine
// (spec 6.2). Plain JavaScript without packages, because `npm start` runs it before the install.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const sourceFolders = ['client', 'server', 'shared']
/** Files outside of the source folders that change what is built. */
export const buildFiles = [
  'package-lock.json',
  'tsconfig.json',
  'webpack.config.ts',
  'scripts/build.ts',
  'scripts/build-facts.ts',
  'scripts/asset-manifest-plugin.ts',
  'scripts/encode-starter-images.ts',
]

function listFiles(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? listFiles(root, path) : [path]
  })
}

/** Hashes files by path and content. Windows line ends are ignored. */
function hashFiles(root, paths) {
  const hash = createHash('sha256')
  for (const path of paths.sort()) {
    const text = readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n')
    hash.update(`${path}\n${text.length}\n`).update(text)
  }
  return hash.digest('hex').slice(0, 16)
}

export const buildId = (root) =>
  hashFiles(root, [...sourceFolders.flatMap((folder) => listFiles(root, folder)), ...buildFiles])

/**
 * Identifies the content compiler by its sources and packages. Content that another compiler
 * produced is compiled again.
 */
export const compilerId = (root) =>
  hashFiles(root, [
    ...listFiles(root, 'server/content'),
    'shared/constants.ts',
    'shared/front-matter.ts',
    'shared/images.ts',
    'shared/escape-html.ts',
    ...listFiles(root, 'shared/i18n'),
    ...listFiles(root, 'server/url'),
    ...listFiles(root, 'shared/routes'),
    'package-lock.json',
  ])
