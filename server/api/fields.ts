/** Fields that several calls take. */
import { z } from 'zod'
import { limits } from '../../shared/constants'
import { localeOfCall } from '../url/negotiate-locale'

/** A language as our code or as a tag: `vn`, `vi-VN`, `zh-HK`. Becomes our code. */
export const localeField = z.string('no such language').max(limits.nameLength, 'no such language').transform((value, context) => {
  const locale = localeOfCall(value)
  if (locale) return locale
  context.addIssue({ code: 'custom', message: 'no such language' })
  return z.NEVER
})
