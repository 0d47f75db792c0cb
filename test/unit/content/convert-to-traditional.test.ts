import { describe, expect, it } from '@jest/globals'
import {
  convertFields,
  convertHtml,
  convertMarkdown,
  convertText,
} from '../../../server/content/compile/convert-to-traditional'
import { taiwanTerms } from '../../../server/content/compile/taiwan-terms'

describe('a text in Simplified Chinese', () => {
  it.each([
    ['默认打开软件的网络界面', '預設開啟軟體的網路介面'],
    ['皇后在后面理发', '皇后在後面理髮'],
    ['每个配置文件都有自己的代理', '每個設定檔都有自己的代理伺服器'],
    ['代理服务器的端口', '代理伺服器的連接埠'],
    ['账号和账户', '帳號和帳戶'],
    ['点击“检查”', '點擊「檢查」'],
    ['在所有设备上退出，或注销帐号', '在所有裝置上退出，或刪除帳號'],
    ['总是掉登录，明天退出登录', '一再被登出，明天登出'],
    ['通过 HTTP 启动，六次都通过', '透過 HTTP 啟動，六次都通過'],
    ['检测没有通过就不要启动', '檢查沒有通過就不要啟動'],
    ['代理公司的代理地址', '代理商的代理伺服器位址'],
    ['按地区签合同，打标签', '按地區簽合約，加標籤'],
    ['没有任何配置文件，不要写进任何配置', '沒有任何設定檔，不要寫進任何設定'],
    ['自动化库和库存', '自動化函式庫和庫存'],
    ['64 位 Windows 平台', '64 位元 Windows 平台'],
    ['存进一列，逐行处理表格', '存進一欄，逐列處理表格'],
    ['DevTools、RPA 和 {{brand}}', 'DevTools、RPA 和 {{brand}}'],
  ])('%s becomes %s', (simplified, traditional) => {
    expect(convertText(simplified)).toBe(traditional)
  })
})

describe('the terms of Taiwan', () => {
  it('name each word once', () => {
    const words = taiwanTerms.map(([word]) => word)
    expect(new Set(words).size).toBe(words.length)
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
