/**
 * `npm run i18n`: prints the problems of each language by namespace and collection, and where texts
 * break a rule of the language. `--json` prints
 * all findings. `next --locale th` lists what a translator should do next. `accept --locale th`
 * records that the texts are translations of the English texts as they are now. Exits with 1 if
 * interface texts or articles have problems.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { isLocaleCode, locales, type LocaleCode } from '../shared/i18n/locales'
import {
  checkArticleRules,
  checkInterfaceRules,
  countRules,
  readConcepts,
  type RuleFinding,
} from './i18n/check-rules'
import { findingKinds, type Finding } from '../server/content/translations/compare'
import {
  acceptTexts,
  checkContent,
  checkTexts,
  countFindings,
  targetLocales,
  type PartReport,
} from './i18n/project'

/** Findings that are printed below the tables. */
const maxPrinted = 60

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    locale: { type: 'string' },
    root: { type: 'string', default: resolve(__dirname, '..') },
  },
})
const [command = 'check'] = positionals

function requireLocale(): LocaleCode {
  if (isLocaleCode(values.locale)) return values.locale
  console.error(`--locale ${values.locale ?? '(missing)'}: one of ${targetLocales.join(', ')}`)
  process.exit(2)
}

/** Prints one line for each part with findings, and the number of the others. */
function printTable(title: string, reports: readonly PartReport[]): void {
  console.log(`\n${title}`)
  console.log(['language', 'part'.padEnd(18), ...findingKinds].join('  '))
  const faulty = reports.filter(({ findings }) => findings.length > 0)
  for (const report of faulty)
    console.log(
      [
        report.locale.padEnd(8),
        report.part.padEnd(18),
        ...findingKinds.map((kind) =>
          String(countFindings(report, kind) || '·').padStart(kind.length),
        ),
      ].join('  '),
    )
  console.log(`${reports.length - faulty.length} of ${reports.length} parts without findings`)
}

const allFindings = (
  reports: readonly PartReport[],
): Array<Finding & { locale: LocaleCode; part: string }> =>
  reports.flatMap(({ locale, part, findings }) =>
    findings.map((finding) => ({ locale, part, ...finding })),
  )

/** Prints how often the texts of each language break its rules, then where. */
function printRules(findings: ReadonlyArray<RuleFinding & { locale: LocaleCode }>): void {
  const counts = targetLocales.map((locale) => {
    const count = findings.filter((finding) => finding.locale === locale).length
    return `${locale} ${count}`
  })
  console.log(`\n${countRules(values.root, targetLocales)} rules of language; findings:`)
  console.log(counts.join('  '))
  for (const { file, line, rule, detail } of findings)
    console.log(`${file}:${line}  ${rule}: ${detail.slice(0, 160)}`)
}

function check(): void {
  const textReports = checkTexts(values.root)
  const contentReports = checkContent(values.root)
  const texts = allFindings(textReports)
  const content = allFindings(contentReports)
  // A missing article is shown in a fallback language, and an outdated one is shown as it is.
  const errors = [
    ...texts,
    ...content.filter(({ kind }) => kind !== 'missing' && kind !== 'outdated'),
  ]
  const concepts = readConcepts(values.root)
  const rules = targetLocales.flatMap((locale) =>
    [
      ...checkInterfaceRules(values.root, locale, concepts),
      ...checkArticleRules(values.root, locale, concepts),
    ].map((finding) => ({ locale, ...finding })),
  )
  if (values.json) console.log(JSON.stringify({ texts, content, rules }, null, 1))
  else {
    printTable('Interface texts', textReports)
    printTable('Content (missing = served in a fallback language)', contentReports)
    for (const { locale, part, kind, key, detail } of errors.slice(0, maxPrinted))
      console.log(`${locale} ${part}:${key}  ${kind}: ${detail.slice(0, 160)}`)
    printRules(rules)
  }
  process.exitCode = errors.length + rules.length > 0 ? 1 : 0
}

/** Lists what a translator should do next, with the English text. */
function next(locale: LocaleCode): void {
  const ofLocale = (report: PartReport): boolean => report.locale === locale
  const texts = allFindings(checkTexts(values.root).filter(ofLocale))
  console.log(`${locales[locale].name} (${locales[locale].language}): ${texts.length} texts`)
  for (const { part, key, kind, detail } of texts)
    console.log(`\n${part}:${key}  [${kind}]\n  ${detail}`)
  const articles = allFindings(checkContent(values.root).filter(ofLocale))
  console.log(`\n${articles.length} articles`)
  for (const { part, key, kind, detail } of articles)
    console.log(`${part}/${key}  [${kind}]  ${detail}`)
}

if (command === 'check') check()
else if (command === 'next') next(requireLocale())
else if (command === 'accept')
  console.log(`${acceptTexts(values.root, requireLocale())} texts recorded`)
else {
  console.error('usage: npm run i18n [-- next --locale th | accept --locale th] [--json]')
  process.exitCode = 2
}
