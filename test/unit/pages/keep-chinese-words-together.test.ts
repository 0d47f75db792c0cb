import { describe, expect, it } from '@jest/globals'
import {
  keepChineseWordsTogether,
  withJoinedTitles,
} from '../../../server/pages/keep-chinese-words-together'

const wordJoiner = '\u2060'
const shown = (text: string): string => text.replaceAll(wordJoiner, '+')

describe('keepChineseWordsTogether', () => {
  // `+` is a word joiner.
  it.each([
    '获+取链+接',
    '每+个账+号，一+个浏+览+器',
    '分+享链+接，发+帖',
    '填+寫代+理伺+服+器',
    '第+一+個設+定+檔',
    '開+賣前十+點',
    '{{brand}} 的 API：15 分+钟',
    'API',
  ])('joins the letters of words: %s', (title) => {
    expect(shown(keepChineseWordsTogether(title.replaceAll('+', '')))).toBe(title)
  })

  it('changes nothing where an author has joined letters, and is idempotent', () => {
    const joined = keepChineseWordsTogether('一\u2060个\u2060指\u2060纹，分享链接')
    expect(shown(joined)).toBe('一+个+指+纹，分+享链+接')
    expect(keepChineseWordsTogether(joined)).toBe(joined)
  })

  it('leaves words of five letters and more breakable', () => {
    expect(keepChineseWordsTogether('加利福尼亚')).toBe('加利福尼亚')
  })
})

describe('titles of a Chinese page', () => {
  const data = {
    title: '分享链接',
    description: '分享链接',
    headings: [{ id: '分享', text: '分享链接', depth: 2 }],
    items: [{ title: '获取链接', text: '获取链接' }],
    questions: [{ question: '怎样分享？', answer: '怎样分享' }],
    html: '<p>分享</p><h2 id="分享">分享 <code>链接</code></h2>',
    seo: { title: '分享链接' },
    window: { title: '分享链接' },
  }

  it('are joined in data and HTML; other text, anchors, metadata and drawings are not', () => {
    expect(JSON.parse(shown(JSON.stringify(withJoinedTitles(data, 'zh'))))).toEqual({
      ...data,
      title: '分+享链+接',
      headings: [{ id: '分享', text: '分+享链+接', depth: 2 }],
      items: [{ title: '获+取链+接', text: '获取链接' }],
      questions: [{ question: '怎+样分+享？', answer: '怎样分享' }],
      html: '<p>分享</p><h2 id="分享">分+享 <code>链+接</code></h2>',
    })
  })

  it('are joined on Chinese pages only: Japanese has the same letters', () =>
    expect(withJoinedTitles(data, 'jp')).toBe(data))
})
