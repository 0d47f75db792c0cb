import { z } from 'zod'
import { currencies, type Currency } from '../../shared/constants'
import { localeCodes, type LocaleCode } from '../../shared/i18n/locales'

// The cast restores the keys' type: `Object.keys` returns `string[]`.
const currency = z.enum(Object.keys(currencies) as [Currency, ...Currency[]])
const origin = z.string().regex(/^https:\/\/[a-z0-9.*-]+(:\d+)?(\/[^\s;,]*)?$/i, 'an https origin')
const country = z.string().regex(/^[A-Z]{2}$/, 'two capital letters (ISO 3166-1)')
/** Values of `third/chat/choose` (spec 6.5). */
const chatType = z.string().regex(/^\w{1,32}$/, 'a kind of chat')
const chatScript = z.string().max(10_000)
const chatProvider = z.enum(['easemob', 'ss', 'other'])
/** A link in the operator's configuration. */
export const linkTarget = z
  .string()
  .refine(
    (value) => /^\/(?![/\\])/.test(value) || /^https?:\/\//.test(value),
    'a path of this site, or an http or https address',
  )

/** What only the operator can say. Empty: nothing in public mentions it. */
const unset = z.literal(['', null]).transform(() => '')
const optionalAddress = z.union([unset, z.email()], 'an e-mail address, or nothing').default('')
const optionalText = z.union([unset, z.string().trim().max(500)], 'a text, or nothing').default('')

/** `content/site.yaml` (spec 9.7): what an operator changes without touching code. */
export const siteConfigSchema = z.strictObject({
  brand: z.string().trim().min(1).max(60),
  register_url: linkTarget.default('/app/register'),
  login_url: linkTarget.default('/app/login'),
  /** Mailboxes. */
  contact: z
    .strictObject({ email: optionalAddress, support: optionalAddress, abuse: optionalAddress })
    .default({ email: '', support: '', abuse: '' }),
  /** The company: name, postal address, law and courts, and who signs the downloads. */
  company: z
    .strictObject({
      name: optionalText,
      address: optionalText,
      law: optionalText,
      publisher: optionalText,
    })
    .default({ name: '', address: '', law: '', publisher: '' }),
  /** Address for editing a text, `{path}` being e.g. `docs/proxies/en.md`. Empty: no link. */
  edit_url: z
    .union([
      z.literal(''),
      z
        .string()
        .refine(
          (value) => /^https?:\/\/\S+$/.test(value) && value.includes('{path}'),
          'an http or https address that contains {path}',
        ),
    ])
    .default(''),
  social: z
    .array(z.strictObject({ name: z.string().min(1), url: z.url({ protocol: /^https?$/ }) }))
    .default([]),
  /** Authors by key; front matter refers to one by it (`author: jane`). */
  authors: z
    .record(
      z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'lower-case letters, digits and hyphens'),
      z.strictObject({
        name: z.string().trim().min(1),
        url: z.url({ protocol: /^https?$/ }).optional(),
      }),
    )
    .default({}),
  pre_sales: z.boolean().default(false),
  one_tap: z.boolean().default(false),
  one_tap_target: z.enum(['same', 'new'], 'same or new').default('same'),
  consent_countries: z.array(country).default([]),
  currencies: z.partialRecord(z.enum(localeCodes), currency).default({}),
  statistics: z
    .strictObject({
      title: z.string().max(20_000).default(''),
      body: z.string().max(20_000).default(''),
    })
    .default({ title: '', body: '' }),
  chat: z
    .strictObject({
      type: chatType.default('other'),
      script: chatScript.default(''),
      /**
       * Languages with another chat. Optional: a store from an earlier version has no such field.
       */
      by_language: z
        .partialRecord(
          z.enum(localeCodes),
          z.strictObject({ type: chatType.default('other'), script: chatScript.default('') }),
        )
        .optional(),
      provider: chatProvider.default('other'),
      provider_by_country: z.record(country, chatProvider).default({}),
    })
    .default({ type: 'other', script: '', provider: 'other', provider_by_country: {} }),
  csp: z
    .strictObject({
      connect: z.array(origin).default([]),
      img: z.array(origin).default([]),
      frame: z.array(origin).default([]),
      style: z.array(origin).default([]),
    })
    .default({ connect: [], img: [], frame: [], style: [] }),
})
export type SiteConfig = z.infer<typeof siteConfigSchema>

/** Kind and snippet of the chat in a language. */
export const chatIn = (
  { type, script, by_language }: SiteConfig['chat'],
  locale: LocaleCode,
): { type: string; script: string } => by_language?.[locale] ?? { type, script }
