/** Finds English texts that contradict `content/product.yaml`. */
import type { Product } from '../../shared/product-schema'
import { plansOf } from '../../shared/product-schema'

export type Contradiction = { sentence: string; reason: string }
type Check = (sentence: string) => string[]

const words: Readonly<Record<string, number>> = {
  ...{ one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10 },
  ...{ fifteen: 15, twenty: 20, thirty: 30, fifty: 50 },
}
const number = `\\d[\\d,]*|${Object.keys(words).join('|')}`
const valueOf = (text: string): number =>
  words[text.toLowerCase()] ?? Number(text.replaceAll(',', ''))

/** What a plan limits, by the words that follow its number. */
const limits = [
  { field: 'profiles', unit: 'profiles?' },
  { field: 'people', unit: 'people|persons?|seats?|team members?' },
  { field: 'logDays', unit: 'days?', only: /\b(?:activity )?log\b/i },
] as const

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
/** Also `the Team plan`, but not the common words "team" and "free". */
const planName = (id: string): string => {
  const name = id.charAt(0).toUpperCase() + id.slice(1)
  return `(?:\\b[Tt]he ${id} plan|\\b${name}\\b)`
}

/** The parts of a sentence that speak of one plan: from its name to the next plan's. */
function partsByPlan(
  sentence: string,
  ids: readonly string[],
): Array<{ id: string; text: string }> {
  const starts = ids
    .flatMap((id) =>
      [...sentence.matchAll(new RegExp(planName(id), 'g'))].map(({ index }) => ({ id, index })),
    )
    .sort((a, b) => a.index - b.index)
  return starts.map(({ id, index }, position) => ({
    id,
    text: sentence.slice(index, starts[position + 1]?.index),
  }))
}

/** Numbers beside profiles, people and days of the log, and prices in dollars, of a named plan. */
function checkPlans(product: Product): Check {
  const plans = plansOf(product)
  const ids = plans.map(({ id }) => id)
  return (sentence) =>
    partsByPlan(sentence, ids).flatMap(({ id, text }) => {
      const plan = plans.find((one) => one.id === id)
      if (!plan) return []
      const wrongLimits = limits.flatMap(({ field, unit, ...rest }) => {
        if ('only' in rest && !rest.only.test(sentence)) return []
        const found = [...text.matchAll(new RegExp(`\\b(${number}) (?:${unit})\\b`, 'gi'))]
        return found.flatMap(([whole, amount = '']) =>
          valueOf(amount) === plan[field]
            ? []
            : [`"${whole}", but plans.${id}.${field} is ${plan[field]}`],
        )
      })
      const monthly = plan.monthly?.USD
      const allowed = monthly === undefined ? [] : [monthly, monthly * product.paid_months_per_year]
      const wrongPrices = [...text.matchAll(/\$(\d[\d,]*)/g)].flatMap(([whole, amount = '']) =>
        allowed.includes(valueOf(amount))
          ? []
          : [
              `"${whole}", but the price of ${id} is ${allowed.map((price) => `$${price}`).join(' or ') || 'not set'}`,
            ],
      )
      return [...wrongLimits, ...wrongPrices]
    })
}

/** The free plan is also named by what it is: "three profiles, free". */
function checkFreePlan(product: Product): Check {
  const free = product.plans.free
  const claim = new RegExp(
    `\\b(?:free for|start with|free plan (?:holds|has|includes)|plan is free for) (${number}) profiles\\b`,
    'gi',
  )
  return (sentence) =>
    [...sentence.matchAll(claim)].flatMap(([whole, amount = '']) =>
      free && valueOf(amount) === free.profiles
        ? []
        : [`"${whole}", but plans.free.profiles is ${free?.profiles ?? 'not set'}`],
    )
}

/** Words of copy for the features of a plan. */
const featureWords = {
  synchroniser: 'synchroni[sz]er',
  rpa: 'RPA',
  api: 'local API',
  roles: 'roles',
} as const

/** A plan is said to have, or to lack, a feature. */
function checkFeatures(product: Product): Check {
  const plans = plansOf(product)
  return (sentence) =>
    partsByPlan(
      sentence,
      plans.map(({ id }) => id),
    ).flatMap(({ id, text }) =>
      Object.entries(featureWords).flatMap(([feature, word]) => {
        const plan = plans.find((one) => one.id === id)
        const has = plan?.features.some((one) => one === feature) ?? false
        const verb = text.match(
          new RegExp(
            `^\\S+(?: \\S+){0,2} (has no|has neither|lacks|without|includes?|has|with)\\b[^.;]*\\b(?:${word})\\b`,
            'i',
          ),
        )?.[1]
        if (!verb) return []
        const saysNo = /no|neither|lacks|without/i.test(verb)
        return saysNo === has
          ? [`${id} ${has ? 'has' : 'lacks'} ${feature} in plans.${id}.features`]
          : []
      }),
    )
}

const negation =
  /\b(?:no|not|never|none|nor|neither|without|cannot|can't|isn't|doesn't|yet|until|unsupported|instead)\b/i

/**
 * A system that the client does not run on is named as one that it does. Sentences about servers
 * are about the reader's own.
 */
function checkSystems({ unsupported_systems }: Product): Check {
  return (sentence) =>
    unsupported_systems.flatMap((system) => {
      const claim = new RegExp(
        `\\b(?:runs? on|client for|download for|available (?:for|on)|install(?:s|ed)? on|supports?)\\b[^.;:]*\\b${escape(system)}\\b`,
        'i',
      )
      return claim.test(sentence) && !negation.test(sentence) && !/\bservers?\b/i.test(sentence)
        ? [`the client does not run on ${system}`]
        : []
    })
}

function checkNeverSay({ never_say }: Product): Check {
  const rules = never_say.map(({ pattern, unless, reason }) => ({
    claim: new RegExp(pattern, 'i'),
    except: unless === undefined ? null : new RegExp(unless, 'i'),
    reason,
  }))
  return (sentence) =>
    rules.flatMap(({ claim, except, reason }) =>
      claim.test(sentence) && !except?.test(sentence) ? [reason] : [],
    )
}

/**
 * Sentences of a text, without markup; a heading, list item or table row is a separate sentence.
 */
const sentencesOf = (text: string): string[] =>
  text
    .replace(/```[\s\S]*?```/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_`>]/g, '')
    .split(/\n|(?<=[.!?])\s+/)
    .map((sentence) => sentence.trim())
    // Questions claim nothing.
    .filter((sentence) => sentence !== '' && !sentence.endsWith('?'))

/** Returns a function that finds the contradictions of a text. */
export function createFactCheck(product: Product): (text: string) => Contradiction[] {
  const checks = [checkPlans, checkFreePlan, checkFeatures, checkSystems, checkNeverSay].map(
    (create) => create(product),
  )
  return (text) =>
    sentencesOf(text).flatMap((sentence) =>
      checks.flatMap((check) => check(sentence)).map((reason) => ({ sentence, reason })),
    )
}
