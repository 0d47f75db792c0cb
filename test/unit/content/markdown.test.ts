import { describe, expect, it } from '@jest/globals'
import { createMarkdown } from '../../../server/content/compile/markdown'

const render = createMarkdown()

describe('Markdown', () => {
  it.each([
    ['raw HTML', '<script>alert(1)</script>\n\n<img src=x onerror=alert(1)>', /<script|<img/],
    [
      'a script link',
      '[a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](vbscript:x) [d](data:text/html,x)',
      /href="(?:javascript|vbscript|data)/i,
    ],
    [
      'a link that breaks out of its attribute',
      '[a](https://x.example/"onmouseover="alert(1))',
      /"onmouseover/,
    ],
    ['a title that breaks out', '[a](https://x.example "b\\" onclick=\\"c")', /" onclick/],
    ['a label of tabs', ':::tabs\n== <img src=x onerror=alert(1)>\ntext\n:::', /<img/],
    ['a title of an admonition', ':::note <script>x</script>\ntext\n:::', /<script/],
    ['a code language', '```"><script>x</script>\ncode\n```', /<script/],
    ['code', '```html\n<script>alert(1)</script>\n```', /<script/],
    ['style attributes', '| a |\n|:-:|\n| b |', /style=/],
  ])('%s adds nothing active to a page', (_name, source, forbidden) => {
    expect(render(source).html).not.toMatch(forbidden)
  })

  it.each([
    [
      'tables with aligned cells',
      '| a | b |\n|:--|--:|\n| 1 | 2 |',
      [
        '<div class="table-scroll"><table>',
        '<th class="align-left" scope="col">',
        '<td class="align-right">',
      ],
    ],
    [
      'a corner over row names that is no empty heading',
      '|  | a |\n|:--|--|\n| b | 2 |',
      ['<td class="align-left"></td>', '<th scope="col">a</th>', '<td class="align-left">b</td>'],
    ],
    [
      'emphasis that ends with punctuation before Han, Kana, Hangul and Thai',
      '**先停：**然后，他说**“好。”**就走。**「人」**が**(주)**는 **ก.**ข **𠮷。**𠮷',
      [
        '<strong>先停：</strong>然后',
        '<strong>“好。”</strong>就走',
        '<strong>「人」</strong>が',
        '<strong>(주)</strong>는',
        '<strong>ก.</strong>ข',
        '<strong>𠮷。</strong>𠮷',
      ],
    ],
    [
      'emphasis as before in other scripts',
      '**a.**b\n\n先 ** 后 ** 中\n\n2*3*4\n\nsnake_case_名_字\n\n~~旧。~~新',
      ['**a.**b', '先 ** 后 ** 中', '2<em>3</em>4', 'snake_case_名_字', '<s>旧。</s>新'],
    ],
    ['strikethrough', '~~old~~', ['<s>old</s>']],
    ['autolinks', 'https://example.com/a', ['<a href="https://example.com/a" rel="noopener">']],
    [
      'task lists',
      '- [ ] open\n- [x] done',
      ['☐</span> open', '☑</span> done', 'class="task-item"'],
    ],
    ['footnotes', 'a[^1]\n\n[^1]: the note', ['a\u2060<sup class="footnote-ref"', 'the note']],
    [
      'alerts',
      '> [!WARNING]\n> Take care.',
      ['<div class="admonition admonition-warning">', '{{admonition.warning}}', 'Take care.'],
    ],
    [
      'admonitions with a title',
      ':::tip Faster\nDo *this*.\n:::',
      ['admonition-tip', '>Faster<', '<em>this</em>'],
    ],
    [
      'tabs',
      ':::tabs\n== One\nfirst\n== Two\n```text\n== not a tab\n```\n:::\n\nafter',
      ['>One</label>', '>Two</label>', '<p>first</p>', '== not a tab', '<p>after</p>'],
    ],
    [
      'admonitions in tabs',
      ':::tabs\n== One\n:::note\ninner\n:::\n:::',
      ['admonition-note', 'inner'],
    ],
    [
      'heading anchors',
      '## Two words\n\n## Two words\n\n## Named {#own-id}',
      ['id="two-words"', 'id="two-words-2"', 'id="own-id"', 'href="#own-id"'],
    ],
    [
      'highlighted code',
      '```js\nconst a = "b"\n```',
      [
        '<pre class="code" data-language="js" tabindex="0">',
        '<span class="tok-keyword">const</span>',
        'tok-string',
      ],
    ],
    ['unknown languages', '```nonsense\na < b\n```', ['a &lt; b']],
    [
      'links of this site, without a language yet',
      '[a](/docs/proxies#x)',
      ['href="site:/docs/proxies#x"'],
    ],
  ])('has %s', (_name, source, parts) => {
    const { html } = render(source)
    for (const part of parts) expect(html).toContain(part)
  })

  it('lists headings and returns the text without markup', () => {
    const { headings, text } = render(
      '## First `code`\n\nSome **bold** words.\n\n### Second {#s}\n\n- item',
    )
    expect(headings).toEqual([
      { depth: 2, id: 'first-code', text: 'First code' },
      { depth: 3, id: 's', text: 'Second' },
    ])
    expect(text).toBe('First code\nSome bold words.\nSecond\nitem')
  })

  it('without a reader of pictures leaves their alternative texts, and reports each', () => {
    const { html, problems } = render('Text\n\n![A *shot*](a.png) ![](b.png)')
    expect(html).toBe('<p>Text</p>\n<p>A shot </p>\n')
    expect(problems).toEqual([
      { line: 3, reason: 'no pictures here' },
      { line: 3, reason: 'no pictures here' },
    ])
  })

  it('finishes on hostile input', () => {
    for (const source of [
      '['.repeat(20_000),
      '>'.repeat(5000) + 'a',
      '*a '.repeat(20_000),
      ':::note\n'.repeat(300),
      '`'.repeat(20_000),
      '- '.repeat(300) + 'a',
    ])
      expect(typeof render(source).html).toBe('string')
  })

  it('makes anchors for headings of every script', () => {
    expect(render('## 代理 类型\n\n## Прокси').headings.map(({ id }) => id)).toEqual([
      '代理-类型',
      'прокси',
    ])
  })
})
