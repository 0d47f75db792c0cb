import { createHash } from 'node:crypto'
import { defaultCurrency } from '../../shared/constants'
import { locales, type LocaleCode } from '../../shared/i18n/locales'
import { formatMoney } from '../../shared/money'
import { plansOf, type Product } from '../../shared/product-schema'
import type { SiteConfig } from './site-config'

/** Values by name, such as `plans.solo.profiles`; '' is a value that the operator has not set. */
export type References = ReadonlyMap<string, string>

/** Files of an earlier version, and texts of pages, have other names in braces: they are left. */
const reference = /\{\{(brand|(?:contact|company|plans|referral)\.[a-z_.]+)\}\}/g

function productReferences(
  { plans, referral }: Product,
  { currencies }: SiteConfig,
  locale: LocaleCode,
): Array<[string, string]> {
  const numberFormat = new Intl.NumberFormat(locales[locale].language)
  const currency = currencies[locale] ?? defaultCurrency
  return [
    ...plansOf({ plans }).flatMap(({ id, profiles, people, logDays, monthly }) => {
      const values = {
        profiles: numberFormat.format(profiles),
        people: numberFormat.format(people),
        log_days: numberFormat.format(logDays),
        price: monthly ? formatMoney(monthly[currency], currency, { decimals: 0 }) : '',
      }
      return Object.entries(values).map(([name, value]): [string, string] => [
        `plans.${id}.${name}`,
        value,
      ])
    }),
    ['referral.percent', numberFormat.format(referral.percent)],
  ]
}

const group = (name: string, values: Readonly<Record<string, string>>): Array<[string, string]> =>
  Object.entries(values).map(([key, value]) => [`${name}.${key}`, value])

/** The facts that texts may name in double braces, in the numbers and currency of a language. */
export const referencesOf = (site: SiteConfig, product: Product, locale: LocaleCode): References =>
  new Map([
    ['brand', site.brand],
    ...group('contact', { ...site.contact, support: site.contact.support || site.contact.email }),
    ...group('company', site.company),
    ...productReferences(product, site, locale),
  ])

/** Changes with everything that references of any language depend on. */
export const referencesStamp = (
  { brand, contact, company, currencies }: SiteConfig,
  { plans, referral }: Product,
): string =>
  createHash('sha256')
    .update(JSON.stringify([brand, contact, company, currencies, plans, referral]))
    .digest('hex')

/** The facts that a text names, with their values: its compiled form depends on no others. */
export const namedFacts = (text: string, references: References): string =>
  JSON.stringify(
    [...new Set(text.match(reference))].map((name) => [
      name,
      references.get(name.slice('{{'.length, -'}}'.length)),
    ]),
  )

/** Fills in the facts that a text names; an unset one is empty, an unknown name is left. */
export const fillReferences = (text: string, references: References): string =>
  text.replace(reference, (whole, name: string) => references.get(name) ?? whole)

/** A copy of texts with the facts filled into every string. */
export function fillAllReferences(value: unknown, references: References): unknown {
  if (typeof value === 'string') return fillReferences(value, references)
  if (Array.isArray(value)) return value.map((item) => fillAllReferences(item, references))
  if (value && typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, fillAllReferences(item, references)]),
    )
  return value
}

/** Fills in the facts that Markdown names. A line that names an unset one is left out. */
export const fillMarkdown = (markdown: string, references: References): string =>
  markdown
    .split('\n')
    .filter(
      (line) => ![...line.matchAll(reference)].some(([, name = '']) => references.get(name) === ''),
    )
    .map((line) => fillReferences(line, references))
    .join('\n')

/** Names in a text that are no facts, with their lines. */
export const unknownReferences = (
  text: string,
  references: References,
): Array<{ name: string; line: number }> =>
  text
    .split('\n')
    .flatMap((content, index) =>
      [...content.matchAll(reference)].flatMap(([, name = '']) =>
        references.has(name) ? [] : [{ name, line: index + 1 }],
      ),
    )
