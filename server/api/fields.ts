/** Fields that several calls take. */
import { z } from 'zod'
import { fields, limits } from '../../shared/constants'
import { localeOfCall } from '../url/negotiate-locale'

/** A language as our code or as a tag: `vn`, `vi-VN`, `zh-HK`. Becomes our code. */
export const localeField = z
  .string('no such language')
  .max(limits.nameLength, 'no such language')
  .transform((value, context) => {
    const locale = localeOfCall(value)
    if (locale) return locale
    context.addIssue({ code: 'custom', message: 'no such language' })
    return z.NEVER
  })

/** Text on one line, trimmed, at most so many characters. Control characters would end a line of a mail or of a list somewhere later. */
export const line = (most: number) =>
  z
    .string('a text')
    .trim()
    .max(most, `at most ${most} characters`)
    .refine((value) => !hasControl(value), 'no control characters')
const hasControl = (value: string): boolean =>
  [...value].some((letter) => letter < ' ' || letter === '\u007f')

/** A referral or invite code (decisions 6). */
export const referralCode = z
  .string('a referral code')
  .regex(/^[A-Za-z0-9_-]{1,64}$/, '1 to 64 letters, digits, _ or -')

/** One of the lines that say where a visit came from. */
export const sourceLine = line(fields.source).default('')

/** Identifies a device: what the cookie holds. Anything else counts as absent. */
export const deviceField = z.string().regex(/^[\w-]{8,64}$/)

/** The page that a visitor writes from: its path, or its whole address. */
export const pageField = line(limits.pageLength).refine(
  (value) => /^(?:\/|https?:\/\/)/.test(value),
  'a path or an address',
)
