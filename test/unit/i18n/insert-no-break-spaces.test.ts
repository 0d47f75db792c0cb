import { describe, expect, it } from '@jest/globals'
import { createMarkdown } from '../../../server/content/compile/markdown'
import { insertNoBreakSpaces } from '../../../shared/i18n/insert-no-break-spaces'

/** Expected texts; `~` is a no-break space. */
const cases: readonly string[] = [
  'Работа с~профилями',
  'В~браузере и~не~в~сети',
  'Браузер для~команд, без~паролей',
  '«В~сети» (и~на~диске)',
  'Может~ли тот~же профиль',
  'Если~бы, то~да',
  'Прокси из-за~границы',
  'По-русски и~во-первых',
  'Поделитесь или автоматизируйте и~автоматизируйте',
  '14~языков за~30~дней',
  'Профиль~— это папка',
  'Для~Windows и~Linux',
  'Хранилище й~налаштування з~проксі',
  'Під~час роботи або~після неї',
  'Multi-account work in 3 steps — for a team',
  '在 3~个步骤中 — 完成',
  'เริ่มต้นใน 15~นาที',
  'पहला प्रोफ़ाइल 15~मिनट में',
  'Proxy gerekli~mi?',
  'Hesap paylaşılır~mı, taşınır~mı?',
  'İndirip kurdunuz~mu?',
  'Silebilir~misiniz?',
  'İki mil',
  'Hızlı başlangıç: 15~dakikada ilk profil',
  '快速入门：15~分钟',
  'Quick start: your first profile in 15 minutes',
  'En mi perfil',
]

describe('insertNoBreakSpaces', () => {
  it.each(cases)('%s', (shown) => {
    expect(insertNoBreakSpaces(shown.replaceAll('~', ' ')).replaceAll('\u00a0', '~')).toBe(shown)
  })

  it('changes only spaces, and is idempotent', () => {
    for (const shown of cases) {
      const plain = shown.replaceAll('~', ' ')
      const joined = insertNoBreakSpaces(plain)
      expect(joined.replaceAll('\u00a0', ' ')).toBe(plain)
      expect(insertNoBreakSpaces(joined)).toBe(joined)
    }
  })

  it('keeps a Japanese number with its unit', () => {
    expect(insertNoBreakSpaces('15分で3つのプロファイル')).toBe(
      '15\u2060分で3\u2060つのプロファイル',
    )
  })

  // `~` is a zero-width space, `+` a word joiner.
  it.each([
    'ไม่+มี~พ+ร็+อ+ก+ซี~รวม',
    'ผ่าน~พ+ร็+อ+ก+ซี (พ+ร็+อ+ก+ซี)',
    'ผู้+ดูแล พ+ร็+อ+ก+ซีๆ',
    'แ+พ็+ก+เ+ก+จ~ที่',
    'โปรไฟล์',
  ])('holds Thai words together: %s', (shown) => {
    const plain = shown.replaceAll(/[~+]/g, '')
    expect(insertNoBreakSpaces(plain).replaceAll('\u200b', '~').replaceAll('\u2060', '+')).toBe(
      shown,
    )
    expect(insertNoBreakSpaces(insertNoBreakSpaces(plain))).toBe(insertNoBreakSpaces(plain))
  })

  it('applies to the HTML of an article, but not to anchors, contents and plain text', () => {
    const { html, headings, text } = createMarkdown()(
      '## Вход в профиль\n\nОткройте и **не** закрывайте `в коде`.',
    )
    expect(html).toContain('id="вход-в-профиль"')
    expect(html).toContain('Вход в\u00a0профиль')
    expect(html).toContain('Откройте и\u00a0<strong>не</strong>')
    expect(html).toContain('<code>в коде</code>')
    expect(headings[0]?.text).toBe('Вход в профиль')
    expect(text).not.toContain('\u00a0')
  })
})
