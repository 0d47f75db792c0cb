import { z } from 'zod'
import { systems, type Collection } from '../../shared/content'

/**
 * What front matter each collection takes. One schema a collection; a file that breaks it is named with its line and
 * left out (decisions 6). Objects are strict, so that a misspelt field is an error and not silently ignored.
 */

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

/** Fields that every file may bear. `title` is the heading of the page, `seo_title` the title in search results. */
const common = {
  title: text.max(120),
  description: text.max(220),
  seo_title: text.max(90).optional(),
  seo_keywords: text.max(300).optional(),
  date: day.optional(),
  updated: day.optional(),
  draft: z.boolean().optional(),
  publish: moment.optional(),
}

/** Picture of an article, beside its text, and what is seen on it: the one demands the other. */
const coverFields = {
  cover: z
    .string()
    .regex(/^(?:\.\/)?[\w][\w.-]*$|^\/[\w./-]+$/, 'a file beside the text, or a path of public/')
    .optional(),
  coverAlt: text.max(200).optional(),
}
/** The words of drawings beside a text, `{name}: {text: words}`, so that who translates a text translates them with it. */
const diagrams = z
  .record(
    slug,
    z.record(
      z.string().regex(/^[a-z][a-z0-9-]*$/, 'a name of lower-case letters, digits and hyphens'),
      text.max(160),
    ),
  )
  .optional()
const coverIsWhole = <
  T extends z.ZodType<{ cover?: string | undefined; coverAlt?: string | undefined }>,
>(
  schema: T,
): T =>
  schema.refine((front) => (front.cover === undefined) === (front.coverAlt === undefined), {
    path: ['coverAlt'],
    error: 'cover and coverAlt stand together: the picture and what is seen on it',
  })

const titledText = z.strictObject({ title: text, text })
const question = z.strictObject({ question: text, answer: text })

/** A landing page: its whole content is structured, the Markdown body is optional. */
const landing = {
  ...common,
  lead: text,
  icon: slug.optional(),
  order: z.number().int().optional(),
  benefits: z.array(titledText).length(3),
  steps: z.array(titledText).length(3),
  questions: z.array(question).min(2),
  related: z.array(slug).optional(),
}

/**
 * A row of a comparison. What is said about the other product needs its public source and the day it was checked;
 * without `theirs` the page says "not verified".
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
const ordered = { ...article, date: day.optional(), section: slug, order: z.number().int() }

const releaseFile = z.strictObject({
  system: z.enum(systems),
  url: z.union([webAddress, z.string().regex(/^\/[\w./-]+$/, 'an address or a path of this site')]),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, '64 lower-case hexadecimal digits'),
  size: z.number().int().positive(),
})

export const schemas = {
  blog: coverIsWhole(z.strictObject({ ...article, ...inSeries, category: slug })),
  news: coverIsWhole(z.strictObject({ ...article, ...inSeries, category: slug })),
  guide: coverIsWhole(z.strictObject(ordered)),
  helps: coverIsWhole(z.strictObject(ordered)),
  docs: coverIsWhole(z.strictObject(ordered)),
  solutions: z.strictObject(landing),
  features: z.strictObject(landing),
  industries: z.strictObject(landing),
  alternatives: z.strictObject({
    ...landing,
    product: text,
    comparison: z.array(comparisonRow).min(4),
  }),
  partner: coverIsWhole(
    z.strictObject({
      ...article,
      date: day.optional(),
      kind: slug,
      website: webAddress.optional(),
      order: z.number().int().optional(),
    }),
  ),
  release: coverIsWhole(
    z.strictObject({
      ...article,
      files: z.array(releaseFile).min(1),
      highlights: z.array(text).min(1),
    }),
  ),
  pages: z.strictObject(common),
} as const satisfies Record<Collection, z.ZodType>

/** An id names a folder: lower-case letters, digits, hyphens; releases are versions and may hold dots. At most 64. */
export const idPattern = (collection: Collection): RegExp =>
  collection === 'release' ? /^[a-z0-9]+(?:[.-][a-z0-9]+)*$/ : /^[a-z0-9]+(?:-[a-z0-9]+)*$/

export type FrontMatter = { [C in Collection]: z.infer<(typeof schemas)[C]> }
