// The build id: a hash of sources, lock and build settings, equal on every machine (decisions 6). Plain JavaScript,
// because `npm start` needs it before anything is installed.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folders = ['client', 'server', 'shared']
const files = [
  'package-lock.json',
  'tsconfig.json',
  'webpack.config.ts',
  'scripts/build.ts',
  'scripts/build-facts.ts',
  'scripts/asset-manifest-plugin.ts',
  'scripts/encode-starter-images.ts',
]

function filesBelow(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? filesBelow(root, path) : [path]
  })
}

function hashOf(root, paths) {
  const hash = createHash('sha256')
  for (const path of paths.sort()) {
    const text = readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n')
    hash.update(`${path}\n${text.length}\n`).update(text)
  }
  return hash.digest('hex')
}

export const buildId = (root) =>
  hashOf(root, [...folders.flatMap((folder) => filesBelow(root, folder)), ...files]).slice(0, 16)

/** Changes when compiled content has to be made anew: with the compiler's sources and the versions it uses. */
export const compilerId = (root) =>
  hashOf(root, [
    ...filesBelow(root, 'server/content'),
    'shared/constants.ts',
    'shared/content.ts',
    'shared/images.ts',
    'shared/i18n/locales.ts',
    ...filesBelow(root, 'shared/routes'),
    'package-lock.json',
  ]).slice(0, 16)
