import { z } from 'zod'

/**
 * The sections and the picture of a landing page, as its front matter describes them
 * (docs/authoring.md). A page chooses its own sections and their order.
 */

const text = z.string().trim().min(1)
const titledText = z.strictObject({ title: text, text })
const heading = { title: text, text: text.optional() }
/** A public page that a statement comes from, and the day on which it was read. */
const source = z.strictObject({
  name: text,
  url: z.url({ protocol: /^https?$/, error: 'an http or https address' }),
  checked: z.iso.date('a date as YYYY-MM-DD'),
})
/** Each row has one cell for each column. */
const table = {
  columns: z.array(text).min(2).max(5),
  rows: z.array(z.array(text)).min(1),
}
const requireFullRows = <T extends z.ZodType<{ columns: string[]; rows: string[][] }>>(
  schema: T,
): T =>
  schema.refine(({ columns, rows }) => rows.every((row) => row.length === columns.length), {
    path: ['rows'],
    error: 'each row needs one cell for each column',
  })

export const landingSection = z.discriminatedUnion('kind', [
  /** Paragraphs. */
  z.strictObject({ kind: z.literal('text'), title: text, paragraphs: z.array(text).min(1) }),
  /** Numbers that readers can check in their own work. */
  z.strictObject({
    kind: z.literal('figures'),
    ...heading,
    items: z
      .array(z.strictObject({ value: text, text }))
      .min(2)
      .max(4),
  }),
  /** What the reader gains. */
  z.strictObject({ kind: z.literal('points'), ...heading, items: z.array(titledText).min(2) }),
  /** What to do first, second, third. */
  z.strictObject({ kind: z.literal('steps'), ...heading, items: z.array(titledText).min(2) }),
  requireFullRows(z.strictObject({ kind: z.literal('table'), ...heading, ...table })),
  /** A day or a week of work. */
  z.strictObject({
    kind: z.literal('timeline'),
    ...heading,
    items: z.array(z.strictObject({ time: text, text })).min(2),
  }),
  z.strictObject({ kind: z.literal('checklist'), ...heading, items: z.array(text).min(2) }),
  /** What the rules of a platform say, each with its source where a public one was read. */
  z.strictObject({
    kind: z.literal('rules'),
    ...heading,
    items: z.array(z.strictObject({ text, source: source.optional() })).min(1),
  }),
  /** What the product does not do. */
  z.strictObject({ kind: z.literal('limits'), ...heading, items: z.array(text).min(1) }),
])
export type LandingSection = z.infer<typeof landingSection>

/** The meaning of a colored mark. */
const tone = z.enum(['good', 'caution', 'info', 'plain'])
const mark = z.strictObject({ text, tone: tone.default('plain') })
export type Mark = z.infer<typeof mark>
const icon = z.string().regex(/^[a-z]+(?:-[a-z]+)*$/, 'the name of a symbol')
const systemIcon = z.enum(['windows', 'apple'])

const picturePart = z.discriminatedUnion('kind', [
  /** A browser window: the profile's name, the address, and lines of the page. */
  z.strictObject({
    kind: z.literal('browser'),
    profile: text,
    proxy: text.optional(),
    address: text,
    lines: z
      .array(z.strictObject({ text, mark: mark.optional() }))
      .min(1)
      .max(6),
  }),
  /** The list of profiles. */
  z.strictObject({
    kind: z.literal('profiles'),
    title: text,
    rows: z
      .array(z.strictObject({ name: text, system: systemIcon, proxy: text, status: mark }))
      .min(2)
      .max(6),
  }),
  /** The steps of an automation flow. `nested` marks the steps that a loop repeats. */
  z.strictObject({
    kind: z.literal('flow'),
    title: text,
    steps: z
      .array(z.strictObject({ icon, text, nested: z.boolean().default(false) }))
      .min(2)
      .max(7),
  }),
  requireFullRows(z.strictObject({ kind: z.literal('table'), title: text.optional(), ...table })),
  /** Places on a map of the world. */
  z.strictObject({
    kind: z.literal('map'),
    places: z
      .array(
        z.strictObject({
          name: text,
          value: text.optional(),
          latitude: z.number().min(-55).max(72),
          longitude: z.number().min(-180).max(180),
        }),
      )
      .min(2)
      .max(6),
  }),
  /** A week: each slot is on one day, from one row to another. */
  z.strictObject({
    kind: z.literal('calendar'),
    days: z.array(text).min(3).max(7),
    slots: z
      .array(z.strictObject({ day: z.int().min(1).max(7), text, tone: tone.default('info') }))
      .min(2)
      .max(12),
  }),
  /** Commands and what they print. */
  z.strictObject({
    kind: z.literal('terminal'),
    title: text,
    lines: z
      .array(z.strictObject({ command: text }).or(z.strictObject({ output: text })))
      .min(2)
      .max(9),
  }),
  z.strictObject({
    kind: z.literal('chat'),
    messages: z
      .array(z.strictObject({ from: text, text, isOwn: z.boolean().default(false) }))
      .min(2)
      .max(5),
  }),
  /** People, their role, and what they can open. */
  z.strictObject({
    kind: z.literal('roles'),
    title: text,
    people: z
      .array(z.strictObject({ name: text, role: mark, access: text }))
      .min(2)
      .max(5),
  }),
  /** The activity log. */
  z.strictObject({
    kind: z.literal('log'),
    title: text,
    rows: z
      .array(z.strictObject({ time: text, person: text, action: text }))
      .min(2)
      .max(6),
  }),
])
export type PicturePart = z.infer<typeof picturePart>

/** One main part, and at most one more in front of its lower corner. */
export const landingPicture = z.strictObject({
  /** What the picture shows, for people who do not see it. */
  label: text.max(160),
  parts: z.array(picturePart).min(1).max(2),
})
export type LandingPicture = z.infer<typeof landingPicture>
