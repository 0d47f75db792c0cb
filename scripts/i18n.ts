/**
 * `npm run i18n`: a table of language × namespace and collection with what is wrong in each. `--json` prints all
 * findings; `next --locale th` lists what a translator should do next; `accept --locale th` records that the present
 * texts are translations of the present source. Exits with 1 when an interface text is at fault.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { isLocaleCode, locales, type LocaleCode } from '../shared/i18n/locales'
import {
  acceptTexts,
  checkContent,
  checkTexts,
  countOf,
  kinds,
  targets,
  type Cell,
} from './i18n/project'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    locale: { type: 'string' },
    root: { type: 'string', default: resolve(__dirname, '..') },
  },
})
const [command = 'check'] = positionals

function wantedLocale(): LocaleCode {
  if (isLocaleCode(values.locale)) return values.locale
  console.error(`--locale ${values.locale ?? '(missing)'}: one of ${targets.join(', ')}`)
  process.exit(2)
}

/** One line a cell that has something to say; the rest is counted. */
function printTable(title: string, cells: readonly Cell[]): void {
  console.log(`\n${title}`)
  console.log(['language', 'part'.padEnd(18), ...kinds].join('  '))
  const wrong = cells.filter((cell) => cell.findings.length > 0)
  for (const cell of wrong)
    console.log(
      [
        cell.locale.padEnd(8),
        cell.part.padEnd(18),
        ...kinds.map((kind) => String(countOf(cell, kind) || '·').padStart(kind.length)),
      ].join('  '),
    )
  console.log(`${cells.length - wrong.length} of ${cells.length} parts clean`)
}

function check(): void {
  const texts = checkTexts(values.root)
  const content = checkContent(values.root)
  const faults = texts.flatMap(({ locale, part, findings }) =>
    findings.map((finding) => ({ locale, part, ...finding })),
  )
  const contentFaults = content.flatMap(({ locale, part, findings }) =>
    findings
      .filter(({ kind }) => kind !== 'missing')
      .map((finding) => ({ locale, part, ...finding })),
  )
  if (values.json)
    console.log(
      JSON.stringify(
        {
          texts: faults,
          content: content.flatMap(({ locale, part, findings }) =>
            findings.map((finding) => ({ locale, part, ...finding })),
          ),
        },
        null,
        1,
      ),
    )
  else {
    printTable('Interface texts', texts)
    printTable('Content (missing = served in a fallback)', content)
    for (const { locale, part, kind, key, detail } of [...faults, ...contentFaults].slice(0, 60))
      console.log(`${locale} ${part}:${key}  ${kind}: ${detail.slice(0, 160)}`)
  }
  process.exitCode = faults.length + contentFaults.length > 0 ? 1 : 0
}

/** What to do next: texts that are missing or whose source has changed, with the source. */
function next(locale: LocaleCode): void {
  const todo = checkTexts(values.root)
    .filter((cell) => cell.locale === locale)
    .flatMap(({ part, findings }) => findings.map((finding) => ({ part, ...finding })))
  console.log(`${locales[locale].name} (${locales[locale].language}): ${todo.length} texts`)
  for (const { part, key, kind, detail } of todo)
    console.log(`\n${part}:${key}  [${kind}]\n  ${detail}`)
  const articles = checkContent(values.root)
    .filter((cell) => cell.locale === locale)
    .flatMap(({ part, findings }) =>
      findings.map(({ key, kind, detail }) => `${part}/${key}  [${kind}]  ${detail}`),
    )
  console.log(`\n${articles.length} articles\n${articles.join('\n')}`)
}

if (command === 'check') check()
else if (command === 'next') next(wantedLocale())
else if (command === 'accept')
  console.log(`${acceptTexts(values.root, wantedLocale())} texts recorded`)
else {
  console.error('usage: npm run i18n [-- next --locale th | accept --locale th] [--json]')
  process.exitCode = 2
}
