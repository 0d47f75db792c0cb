import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { limits } from '../../../shared/constants'
import type { Collection } from '../../../shared/front-matter'
import { collections } from '../../../shared/front-matter'
import { localeCodes, type LocaleCode } from '../../../shared/i18n/locales'
import { reservedPaths } from '../../../shared/reserved-paths'
import { errorCode, OperatorError } from '../../errors'

/** An entry in one language; `expires` is in ms since 1970. */
export type Preview = { collection: Collection; id: string; locale: LocaleCode; expires: number }

const previewSchema = z.strictObject({
  collection: z.enum(collections),
  id: z.string().max(limits.maxNameLength),
  locale: z.enum(localeCodes),
  expires: z.number().int(),
})

/** 32 bytes in base64url. */
const secretPattern = /^[\w-]{43}$/

/**
 * Creates the file of the key. It is written under a temporary name, so that no process reads a
 * part of it. Of two processes that create it at the same time, the first wins.
 */
function createSecret(file: string): void {
  const temporary = `${file}.${randomUUID()}`
  try {
    writeFileSync(temporary, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true })
    linkSync(temporary, file)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    rmSync(temporary, { force: true })
  }
}

/**
 * The key that signs previews, from a file that only the site's user can read. A damaged file is
 * refused: with an empty key, for example, anyone could sign previews.
 */
export function previewSecret(dataDir: string): string {
  const file = join(dataDir, 'preview.secret')
  mkdirSync(dataDir, { recursive: true })
  if (!existsSync(file)) createSecret(file)
  const secret = readFileSync(file, 'utf8')
  if (!secretPattern.test(secret))
    throw new OperatorError(`${file} is damaged. Delete it: a new key ends all preview links.`)
  return secret
}

const sign = (text: string, secret: string): string =>
  createHmac('sha256', secret).update(text).digest('base64url')

/** `/_preview/{payload}.{signature}`: the link shows only this entry, until it expires. */
export function previewPath(preview: Preview, secret: string): string {
  const text = Buffer.from(JSON.stringify(preview)).toString('base64url')
  return `${reservedPaths.previews.path}/${text}.${sign(text, secret)}`
}

/** The preview of a token; null when the signature is wrong or the link has expired. */
export function readPreview(token: string, secret: string, now: number): Preview | null {
  const [text = '', signature = '', ...rest] = token.split('.')
  const expected = Buffer.from(sign(text, secret))
  const actual = Buffer.from(signature)
  if (rest.length > 0 || actual.length !== expected.length || !timingSafeEqual(actual, expected))
    return null
  const parsed = previewSchema.safeParse(
    JSON.parse(Buffer.from(text, 'base64url').toString('utf8')),
  )
  return parsed.success && parsed.data.expires > now ? parsed.data : null
}
