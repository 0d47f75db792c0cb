import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { collections, type Collection } from '../../shared/content'
import { localeCodes, type LocaleCode } from '../../shared/i18n/locales'

/** An entry in one language, and until when (ms since 1970) its preview may be seen. */
export type Preview = { collection: Collection; id: string; locale: LocaleCode; expires: number }

const payload = z.strictObject({
  collection: z.enum(collections),
  id: z.string().max(64),
  locale: z.enum(localeCodes),
  expires: z.number().int(),
})

/** The key that previews are signed with: made once, in a file that only the site's user can read. Of two that make it at once the first wins. */
export function previewSecret(dataDir: string): string {
  const file = join(dataDir, 'preview.secret')
  mkdirSync(dataDir, { recursive: true })
  try {
    writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8')
}

const sign = (text: string, secret: string): string =>
  createHmac('sha256', secret).update(text).digest('base64url')

/** `/_preview/{payload}.{signature}`: whoever has the link sees that one text until it expires, and nothing else. */
export function previewPath(preview: Preview, secret: string): string {
  const text = Buffer.from(JSON.stringify(preview)).toString('base64url')
  return `/_preview/${text}.${sign(text, secret)}`
}

/** What a link shows, or null when it was not made here or has expired. */
export function readPreview(token: string, secret: string, now: number): Preview | null {
  const [text = '', signature = '', ...rest] = token.split('.')
  const expected = Buffer.from(sign(text, secret))
  const given = Buffer.from(signature)
  if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected))
    return null
  const parsed = payload.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')))
  return parsed.success && parsed.data.expires > now ? parsed.data : null
}
