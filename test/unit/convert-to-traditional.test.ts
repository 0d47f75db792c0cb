import { describe, expect, it } from '@jest/globals'
import {
  convertFields,
  convertHtml,
  convertMarkdown,
  convertText,
} from '../../server/content/compile/convert-to-traditional'

describe('a text in Simplified Chinese', () => {
  it.each([
    ['默认打开软件的网络界面', '預設開啟軟體的網路介面'],
    ['皇后在后面理发', '皇后在後面理髮'],
    ['每个配置文件都有自己的代理', '每個設定檔都有自己的代理伺服器'],
    ['代理服务器的端口', '代理伺服器的連接埠'],
    ['账号和账户', '帳號和帳戶'],
    ['点击“检查”', '點選「檢查」'],
    ['DevTools、RPA 和 {{brand}}', 'DevTools、RPA 和 {{brand}}'],
  ])('%s becomes %s', (simplified, traditional) => {
    expect(convertText(simplified)).toBe(traditional)
  })
})

describe('what is not text', () => {
  it.each([
    [
      'code',
      '<p>打开</p><pre class="shiki"><code># 打开\n</code></pre>',
      '<p>開啟</p><pre class="shiki"><code># 打开\n</code></pre>',
    ],
    ['code in a line', '<p>运行 <code>打开</code> 即可</p>', '<p>執行 <code>打开</code> 即可</p>'],
    ['an address', '<a href="site:/docs/x#打开">打开</a>', '<a href="site:/docs/x#打开">開啟</a>'],
    ['an id', '<h2 id="打开软件">打开软件</h2>', '<h2 id="打开软件">開啟軟體</h2>'],
    [
      'a file, but its description',
      '<img src="/软件.png" alt="软件的窗口">',
      '<img src="/软件.png" alt="軟體的視窗">',
    ],
  ])('is left in HTML: %s', (_what, html, converted) => {
    expect(convertHtml(html)).toBe(converted)
  })

  it('is left in Markdown', () => {
    expect(
      convertMarkdown(
        '## 打开软件 {#打开}\n\n运行 `打开 软件`，见[软件](/docs/软件#打开)：\n\n```sh\n# 打开软件\n```\n\n打开 https://example.com/软件 。',
      ),
    ).toBe(
      '## 開啟軟體 {#打开}\n\n執行 `打开 软件`，見[軟體](/docs/软件#打开)：\n\n```sh\n# 打开软件\n```\n\n開啟 https://example.com/软件 。',
    )
  })

  it('is left in front matter', () => {
    expect(
      convertFields({
        title: '软件',
        tags: ['proxy'],
        order: 3,
        url: 'https://example.com/软件',
        items: [{ title: '打开', icon: 'play' }],
      }),
    ).toEqual({
      title: '軟體',
      tags: ['proxy'],
      order: 3,
      url: 'https://example.com/软件',
      items: [{ title: '開啟', icon: 'play' }],
    })
  })
})
