import { expect, it } from '@jest/globals'
import { searchWordsOf } from '../../../server/pages/not-found-suggestions'

it.each([
  ['/docs/proxy-settings.php', 'proxy settings'],
  ['/blog/%E4%BB%A3%E7%90%86%E7%B1%BB%E5%9E%8B/', '代理类型'],
  ['/blog/%E4%ABCD', ''],
  ['/a-2026-of-proxies', 'proxies'],
  [`/${'word-'.repeat(9)}`, 'word word word word word word'],
  [`/${'x'.repeat(25)}`, ''],
  ['/', ''],
])('the missing page %s is searched as %j', (path, words) => {
  expect(searchWordsOf(path)).toBe(words)
})
