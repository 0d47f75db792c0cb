/**
 * Finds references that do not resolve: `spec 4.3`, `decision 12`, paths of files, and links in
 * documents. Used by `npm run structure` and by `test/unit/scripts/references.test.ts`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'

/** Folders that hold code and documents; `content/`, `locales/` and `public/` belong to authors. */
const folders = [
  'server',
  'client',
  'shared',
  'scripts',
  'test',
  'testing',
  'bench',
  'deploy',
  'docs',
]
/** Fixtures, results, and this file, which names broken references as examples. */
const skipped = /^(?:test\/fixtures|bench\/results)\/|^scripts\/references\.ts$/
const codeFile = /\.(?:[mc]?[jt]sx?|css)$/
const otherText = /\.(?:md|ya?ml|conf|service|timer)$|(?:Dockerfile|Caddyfile|\.env\.example)$/

type TextFile = { path: string; text: string }

/** Broken references as `path:line: reference`, by kind. */
type UnresolvedReferences = Readonly<
  Record<
    'specification' | 'insideSpecification' | 'decisions' | 'oldForms' | 'files' | 'links',
    readonly string[]
  >
>

function readFiles(root: string): readonly TextFile[] {
  const filesIn = (folder: string, recursive: boolean): string[] =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder), { recursive, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
      : []
  return [...filesIn('.', false), ...folders.flatMap((folder) => filesIn(folder, true))]
    .filter((path) => !skipped.test(path) && (codeFile.test(path) || otherText.test(path)))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

/** Every match of a pattern that `isBroken` refuses, as `path:line: match`. */
function broken(
  among: readonly TextFile[],
  pattern: RegExp,
  isBroken: (match: RegExpExecArray, file: TextFile) => boolean,
): string[] {
  const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length
  return among.flatMap((file) =>
    [...file.text.matchAll(pattern)]
      .filter((match) => isBroken(match, file))
      .map((match) => `${file.path}:${lineAt(file.text, match.index)}: ${match[0]}`),
  )
}

/** The same text without its characters, so that line numbers stay. */
const blanked = (text: string): string => text.replace(/[^\n]/g, ' ')

/** Code with everything but its comments blanked out. */
function commentsOf({ path, text }: TextFile): TextFile {
  if (!codeFile.test(path)) return { path, text }
  const comments = /\/\*[\s\S]*?\*\/|(?<![:'"`\\])\/\/.*/g
  let end = 0
  let kept = ''
  for (const { 0: comment, index } of text.matchAll(comments)) {
    kept += blanked(text.slice(end, index)) + comment
    end = index + comment.length
  }
  return { path, text: kept }
}

const withoutBlocks = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, blanked)
const withoutCode = (text: string): string => withoutBlocks(text).replace(/`[^`\n]+`/g, blanked)
const headingsOf = (text: string): string[] =>
  [...withoutBlocks(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => heading)
/** The anchor of a heading: lower case, no punctuation, hyphens for spaces. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

export function findUnresolvedReferences(root: string): UnresolvedReferences {
  const files = readFiles(root)
  const documents = files.filter(({ path }) => path.endsWith('.md'))
  const textOf = (path: string): string => files.find((file) => file.path === path)?.text ?? ''
  const specification = { path: 'docs/specification.md', text: textOf('docs/specification.md') }
  const sections = new Set(
    headingsOf(specification.text).flatMap(
      (heading) => /^\d+(?:\.\d+)?(?= )/.exec(heading)?.[0] ?? [],
    ),
  )
  const decisions = new Set(
    documents.flatMap(({ path }) => Number(/^docs\/decisions\/(\d{4})-/.exec(path)?.[1] ?? [])),
  )
  const namesNoSection = ([match]: RegExpExecArray): boolean =>
    (match.match(/\d+(?:\.\d+)?/g) ?? []).some((number) => !sections.has(number))
  const exists = (path: string): boolean => existsSync(join(root, path))
  return {
    specification: broken(
      files,
      /\bspec \d+(?:\.\d+)?(?:(?:, | and )\d+(?:\.\d+)?\b)*/gi,
      namesNoSection,
    ),
    insideSpecification: broken(
      [specification],
      /\bsections?\s\d+(?:\.\d+)?(?:(?:, | and | to )\d+(?:\.\d+)?\b)*/g,
      namesNoSection,
    ),
    decisions: broken(
      files,
      /\bdecision\s(\d+)\b/gi,
      ([, number]) => !decisions.has(Number(number)),
    ),
    oldForms: broken(
      files,
      /\bdecisions \d+|\bspec sections? \d+|\bdocs\/decisions\/\d{4}(?!\d|-)/gi,
      () => true,
    ),
    // `docs/proxies/en.md` is a file of the collection docs.
    files: broken(
      files.map(commentsOf),
      /(?<![\w./{}-])(?:server|client|shared|scripts|test|testing|bench|deploy|docs)\/(?!results\/)[\w./-]+\.(?:tsx?|mjs|cjs|md)\b(?![\w*{])/g,
      ([path]) => !exists(path) && !exists(join('content', path)),
    ),
    links: broken(
      documents.map(({ path, text }) => ({ path, text: withoutCode(text) })),
      /\]\((?![a-z]+:|\/)([^)\s#]*)(?:#([^)\s]*))?\)/g,
      ([, target = '', anchor], { path }) => {
        const file = target === '' ? path : normalize(join(dirname(path), target))
        if (!exists(file)) return true
        return anchor !== undefined && !headingsOf(textOf(file)).map(anchorOf).includes(anchor)
      },
    ),
  }
}

/** All of them as one list. */
export const unresolvedReferences = (root: string): string[] =>
  Object.values(findUnresolvedReferences(root)).flat()
