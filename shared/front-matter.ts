import { z } from 'zod'
import { landingPicture, landingSection } from './landing-schemas'

/**
 * The front matter of each collection, one schema per collection (docs/authoring.md). A file that
 * does not match is reported with its line and left out. Objects are strict, so that a misspelled
 * field is an error instead of being ignored.
 */

/** Operating systems of client downloads (spec 7.4). */
export const systems = ['com_win64', 'com_win32', 'com_mac', 'com_arm64', 'com_linux'] as const
export type System = (typeof systems)[number]

const text = z.string().trim().min(1)
const slug = z
  .string()
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'lower-case letters, digits and single hyphens')
  .max(64)
const day = z.iso.date('a date as YYYY-MM-DD')
const moment = z.union([
  day,
  z.iso.datetime({ offset: true }),
  z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/),
])
const webAddress = z.url({ protocol: /^https?$/, error: 'an http or https address' })

/**
 * Fields of every collection. `title` and `description` are shown on the page and on cards; the
 * `seo_` fields replace them for search engines and social networks.
 */
const common = {
  title: text.max(120),
  description: text.max(220),
  seo_title: text.max(90).optional(),
  seo_keywords: text.max(300).optional(),
  seo_description: text.max(220).optional(),
  date: day.optional(),
  updated: day.optional(),
  draft: z.boolean().optional(),
  publish: moment.optional(),
}

/** The picture of an article, and its alternative text; each requires the other. */
const coverFields = {
  cover: z
    .string()
    .regex(/^(?:\.\/)?[\w][\w.-]*$|^\/[\w./-]+$/, 'a file beside the text, or a path of public/')
    .optional(),
  coverAlt: text.max(200).optional(),
}
/**
 * The texts of an article's diagrams, `{diagram: {name: text}}`. They are in the front matter, so
 * that a translation of the article includes them.
 */
const diagrams = z
  .record(
    slug,
    z.record(
      z.string().regex(/^[a-z][a-z0-9-]*$/, 'a name of lower-case letters, digits and hyphens'),
      text.max(160),
    ),
  )
  .optional()
const requireCoverPair = <
  T extends z.ZodType<{ cover?: string | undefined; coverAlt?: string | undefined }>,
>(
  schema: T,
): T =>
  schema.refine((front) => (front.cover === undefined) === (front.coverAlt === undefined), {
    path: ['coverAlt'],
    error: 'cover and coverAlt go together: the picture and what it shows',
  })

const titledText = z.strictObject({ title: text, text })
const question = z.strictObject({ question: text, answer: text })

/**
 * A landing page is structured content; its Markdown body is optional. `sections` replace
 * `benefits` and `steps`.
 */
const landing = {
  ...common,
  lead: text,
  icon: slug.optional(),
  order: z.number().int().optional(),
  picture: landingPicture.optional(),
  sections: z.array(landingSection).min(3).optional(),
  benefits: z.array(titledText).length(3).optional(),
  steps: z.array(titledText).length(3).optional(),
  questions: z.array(question).min(2),
  related: z.array(slug).optional(),
  /** Ids of documents that the reader needs next. */
  documents: z.array(slug).optional(),
}

/**
 * A row of a comparison. A statement about the other product needs its public source and the day it
 * was checked; without `theirs` the row shows ours only.
 */
const comparisonRow = z.strictObject({
  feature: text,
  ours: text,
  theirs: z.strictObject({ text, source: webAddress, checked: day }).optional(),
})

const article = {
  ...common,
  date: day,
  author: text.optional(),
  ...coverFields,
  diagrams,
  tags: z.array(slug).max(8).optional(),
}
const inSeries = { series: slug.optional(), part: z.number().int().positive().optional() }
const ordered = {
  ...article,
  date: day.optional(),
  section: slug,
  order: z.number().int(),
  /** Version of the client since which the text holds. */
  since: z
    .string()
    .regex(/^\d+\.\d+\.\d+$/, 'a version such as 1.2.0')
    .optional(),
}

const releaseFile = z.strictObject({
  system: z.enum(systems),
  url: z.union([webAddress, z.string().regex(/^\/[\w./-]+$/, 'an address or a path of this site')]),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, '64 lower-case hexadecimal digits'),
  size: z.number().int().positive(),
  /** A stand-in; pages label it, and the doctor names it. */
  sample: z.boolean().optional(),
})

export const schemas = {
  blog: requireCoverPair(z.strictObject({ ...article, ...inSeries, category: slug })),
  news: requireCoverPair(z.strictObject({ ...article, ...inSeries, category: slug })),
  guide: requireCoverPair(z.strictObject(ordered)),
  helps: requireCoverPair(z.strictObject(ordered)),
  docs: requireCoverPair(z.strictObject(ordered)),
  solutions: z.strictObject(landing),
  features: z.strictObject(landing),
  industries: z.strictObject(landing),
  alternatives: z.strictObject({
    ...landing,
    product: text,
    comparison: z.array(comparisonRow).min(4),
  }),
  partner: requireCoverPair(
    z.strictObject({
      ...article,
      date: day.optional(),
      kind: slug,
      website: webAddress.optional(),
      order: z.number().int().optional(),
    }),
  ),
  release: requireCoverPair(
    z.strictObject({
      ...article,
      files: z.array(releaseFile).min(1),
      highlights: z.array(text).min(1),
    }),
  ),
  pages: z.strictObject(common),
} as const satisfies Record<string, z.ZodType>

/** A collection of `content/` (spec 6.10): one schema each. */
export type Collection = keyof typeof schemas
// `Object.keys` does not keep the type of the keys.
export const collections = Object.keys(schemas) as Collection[]
export const isCollection = (value: string): value is Collection => Object.hasOwn(schemas, value)

/** Form of an id, which is a folder's name. Releases are versions, so they may contain dots. */
export const idPattern = (collection: Collection): RegExp =>
  collection === 'release' ? /^[a-z0-9]+(?:[.-][a-z0-9]+)*$/ : /^[a-z0-9]+(?:-[a-z0-9]+)*$/

export type FrontMatter = { [C in Collection]: z.infer<(typeof schemas)[C]> }
