import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { previewSecret } from '../../../server/pages/previews/preview-link'
import { temporaryFolder } from '../../../testing/release-with-tests'

describe('the key that signs previews', () => {
  it('is created once, and leaves no other file', () => {
    const folder = temporaryFolder('preview-secret')
    const secret = previewSecret(folder)
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
    expect(previewSecret(folder)).toBe(secret)
    expect(readdirSync(folder)).toEqual(['preview.secret'])
  })

  it.each([
    ['empty', ''],
    ['cut off', 'AbCd'],
    ['of other bytes', '\0'.repeat(43)],
  ])('is refused when its file is %s', (_name, content) => {
    const folder = temporaryFolder('preview-secret')
    writeFileSync(join(folder, 'preview.secret'), content)
    expect(() => previewSecret(folder)).toThrow(/preview\.secret is damaged/)
  })
})
