/**
 * `npm run check:copy`: finds words that plain American English does without in the English texts
 * of the site and in the documents of the project. Exits with 1 if there are any. Spelling is
 * checked by cspell (`.cspell.json`), which the same command runs.
 */
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { findStyleProblems, type Audience } from './copy-style'

const root = resolve(__dirname, '..')
const files: Readonly<Record<Audience, readonly string[]>> = {
  visitors: ['content/**/en.md', 'locales/en/*.json', 'content/api/*.yaml'],
  developers: ['*.md', 'docs/*.md'],
}
/** The page quotes names of tests. */
const skipped = 'docs/conformance.md'

let count = 0
for (const audience of ['visitors', 'developers'] as const) {
  for (const file of globSync([...files[audience]], { cwd: root })) {
    if (file === skipped) continue
    for (const { line, text, reason } of findStyleProblems(
      readFileSync(resolve(root, file), 'utf8'),
      audience,
    )) {
      console.log(`${file}:${line}  "${text}": ${reason}`)
      count += 1
    }
  }
}
console.log(count === 0 ? 'no words to avoid' : `${count} words to avoid`)
process.exitCode = count === 0 ? 0 : 1
