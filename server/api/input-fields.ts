/** Schemas of fields that several calls take. */
import { z } from 'zod'
import { maxFieldLengths, limits } from '../../shared/constants'
import { localeFromParam } from '../url/negotiate-locale'

/** A language as a site code or a language tag (`vn`, `vi-VN`, `zh-HK`). Becomes the site code. */
export const localeField = z
  .string('no such language')
  .max(limits.maxNameLength, 'no such language')
  .transform((value, context) => {
    const locale = localeFromParam(value)
    if (locale) return locale
    context.addIssue({ code: 'custom', message: 'no such language' })
    return z.NEVER
  })

/** Length in code points, so that an emoji does not count twice. */
export const lengthInCharacters = (text: string): number => Array.from(text).length

/**
 * Trimmed text of one line. Control characters are refused: a line break would allow header
 * injection where the text is later put into an e-mail.
 */
export const singleLine = (maxLength: number) =>
  z
    .string('a text')
    .trim()
    .max(maxLength, `at most ${maxLength} characters`)
    .refine((value) => !/[\0-\x1f\x7f]/.test(value), 'no control characters')

/** A referral or invite code (spec 6.5). */
export const referralCode = z
  .string('a referral code')
  .regex(/^[A-Za-z0-9_-]{1,64}$/, '1 to 64 letters, digits, _ or -')

/** A field of the traffic source: page, source, campaign and so on. */
export const sourceLine = singleLine(maxFieldLengths.source).default('')

/** The value of the device id cookie. Any other value counts as absent. */
export const deviceIdField = z.string().regex(/^[\w-]{8,64}$/)

/** The page that a visitor writes from: a path or a URL. */
export const pageField = singleLine(limits.maxPageUrlLength).refine(
  (value) => /^(?:\/|https?:\/\/)/.test(value),
  'a path or an address',
)
