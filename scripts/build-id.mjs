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
  'scripts/icon-view-boxes.ts',
  'scripts/names-as-chunk-ids-plugin.ts',
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

/** What the compiled form of articles and texts depends on, besides the content itself. */
export const compilerFiles = (root) => [
  ...listFiles(root, 'server/content'),
  'shared/constants.ts',
  'shared/escape-html.ts',
  'shared/front-matter.ts',
  'shared/images.ts',
  'shared/landing-schemas.ts',
  'shared/money.ts',
  'shared/plans.ts',
  'shared/product-schema.ts',
  'shared/reserved-paths.ts',
  ...listFiles(root, 'shared/i18n'),
  'package-lock.json',
]
/** Identifies the content compiler. What another one compiled is compiled again. */
export const compilerId = (root) => hashFiles(root, compilerFiles(root))

export const routesFiles = (root) => [
  ...listFiles(root, 'server/url'),
  ...listFiles(root, 'shared/routes'),
]
/**
 * Identifies the rules of URLs. They are not part of the compiler's id, because only redirects and
 * search pages depend on them: after a change, these are written again and no article is compiled.
 */
export const routesId = (root) => hashFiles(root, routesFiles(root))
