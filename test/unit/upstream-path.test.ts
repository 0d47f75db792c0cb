import { describe, expect, it } from '@jest/globals'
import { upstreamPath } from '../../server/upstream/upstream-path'

describe('a path below /api', () => {
  it.each([
    ['/x', '/x'], ['', ''], ['/', '/'], ['/a/b/', '/a/b/'], ['/sys/user/passport/nonce', '/sys/user/passport/nonce'], ['/%61', '/a'], ['/%7Euser', '/~user'], ['/a%20b', '/a%20b'], ['/a%3Fb', '/a%3Fb'], ['/%E4%BD%A0', '/%E4%BD%A0'],
    ['/100%25', '/100%25'], ['/%252525', '/%252525'], ['/a.b', '/a.b'], ['/..a', '/..a'], ['/a..', '/a..'], ['/...', '/...'], ['/%73ite/x', '/site/x'],
  ])('%s is forwarded as %s', (path, forwarded) => expect(upstreamPath(path)).toBe(forwarded))

  it.each([
    ['/../admin'], ['/..'], ['/.'], ['/a/./b'], ['/a/../../admin'], ['/..%2fadmin'], ['/..%2Fadmin'], ['/%2e%2e/admin'], ['/%2e%2e%2fadmin'], ['/.%2e/admin'], ['/%252e%252e/admin'], ['/%252e%252e%252fadmin'], ['/%25252e%25252e/x'], ['/a%2fb'], ['/a%252fb'],
    ['/..\\admin'], ['/..%5cadmin'], ['/a%5cb'], ['/a%255cb'], ['/a;b'], ['/..;/admin'], ['/a%3bb'], ['/a%253bb'], ['//evil.example/x'], ['/a//b'], ['/a%2f%2fb'], ['/%00'], ['/a%00b'], ['/a%0d%0ab'], ['/a%250ab'], ['/%7f'],
    ['/%'], ['/%zz'], ['/%c0%ae%c0%ae/x'], ['/%ff'], ['/%u002e%u002e/x'], ['.evil.example'], ['@evil.example/x'], ['x'], ['/%25252525252525252e'],
  ])('%s is forwarded nowhere', (path) => expect(upstreamPath(path)).toBeNull())
})
