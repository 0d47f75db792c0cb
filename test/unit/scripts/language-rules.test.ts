import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import {
  checkArticleRules,
  checkInterfaceRules,
  countRules,
  readConcepts,
} from '../../../scripts/i18n/check-rules'
import { avoidedForms, contradictions, missingConcepts } from '../../../scripts/i18n/concepts'
import { languageRules } from '../../../scripts/i18n/language-rules'
import { placeholderRules } from '../../../scripts/i18n/placeholder-rules'
import { differingNames } from '../../../scripts/i18n/same-names'
import { sourceRules } from '../../../scripts/i18n/source-rules'
import { localeCodes, type LocaleCode } from '../../../shared/i18n/locales'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { root } from '../../../testing/root'

const wordForWord = 'translated word for word'

const concepts = readConcepts(root)

/** A sentence that breaks the rule, and one that keeps it. */
const examples: ReadonlyArray<[LocaleCode, rule: string, bad: string, good: string]> = [
  ['vn', 'two spaces', 'Tạo  hồ sơ', 'Tạo hồ sơ'],
  ['vn', 'not normalized', 'Ta\u0323o hồ sơ', 'Tạo hồ sơ'],
  ['es', 'space before punctuation', 'Abre el perfil .', 'Abre el perfil.'],
  ['ko', 'letters of another script', '프로필을 開く', '프로필을 Windows에서 열기'],
  ['zh', 'letters of another script', '打开プロファイル', '打开 Chrome，语言选 日本語'],
  ['zh', '你 instead of 您', '把你的配置文件移交', '把您的配置文件移交，“你们收到了吗？”'],
  ['zh', 'half-width punctuation', '先检查,再启动', '先检查，再启动，12:30 结束'],
  ['zh', 'no space between Chinese and Latin', '支持Windows', '支持 Windows 和 {{brand}} 账户'],
  ['zh', wordForWord, '货架上的真实价格', '买家看到的价格'],
  ['tc', 'quotation marks', '“檢查”', '「檢查」'],
  ['tc', 'Simplified letters', '设定檔', '設定檔'],
  ['tc', wordForWord, '您用多久就有多久', '想用多久就用多久'],
  ['tc', 'word of the mainland', '軟件和網絡', '軟體和網路'],
  ['jp', 'kanji number before a counter', '二営業日以内', '2営業日以内、一人ひとり、二段階認証'],
  ['jp', 'katakana brand name', 'アマゾンに出品', 'Amazonに出品'],
  ['jp', 'space between Japanese and Latin', 'Windows 用です。', 'Windows用です。'],
  ['jp', wordForWord, '私たちについて', '会社概要'],
  ['ko', '해요체 ending', '프로필을 열어요.', '프로필을 여세요. 어떻게 하나요?'],
  ['ko', 'plain ending', '프로필을 연다.', '프로필을 엽니다.'],
  ['ko', 'particle after a placeholder', '{{brand}}은 브라우저입니다.', '{{brand}} 브라우저는'],
  ['ko', wordForWord, '계정을 나누세요', '계정을 분리하세요'],
  ['ru', 'two scripts in a word', 'cкрипт', 'скрипт RPA'],
  ['ru', 'hyphen or wrong dash between words', 'Профиль - это браузер.', 'Профиль — это браузер.'],
  ['ru', 'quotation marks', 'кнопка “Запустить”', 'кнопка «Запустить»'],
  ['ru', 'short word at the end of a line', '‹в сети', 'профиль в сети'],
  ['ru', 'Ukrainian letters', 'профілі', 'профили'],
  ['ru', 'е instead of ё', 'учетная запись', 'учётная запись и оплата счета'],
  ['ru', wordForWord, 'подсказка для входа', 'окно входа'],
  ['uk', 'Russian letters', 'открыть профиль', 'відкрити профіль'],
  ['uk', 'straight apostrophe', "зв'язок", 'зв’язок'],
  ['uk', wordForWord, 'Приватність', 'Конфіденційність'],
  ['vn', 'straight quotation marks', 'Chọn "Khởi động"', 'Chọn “Khởi động”'],
  ['vn', 'tone mark of the old spelling', 'xoá hồ sơ', 'xóa hồ sơ, quý khách'],
  ['vn', wordForWord, 'bằng nhiều con mắt', 'từ nhiều góc nhìn, thiết lập hồ sơ'],
  ['th', 'full stop or question mark', 'เปิดโปรไฟล์.', 'เปิดโปรไฟล์ จ.–ศ. 8:30 น.'],
  ['th', 'Thai digits', '๓ โปรไฟล์', '3 โปรไฟล์'],
  ['th', 'breaking space before ๆ', 'อื่น ๆ', 'อื่น\u00a0ๆ'],
  ['th', 'polite particle', 'ขออภัยครับ', 'ขออภัย'],
  ['th', wordForWord, 'หน้าแลนดิ้ง', 'แลนดิ้งเพจ'],
  ['hi', 'full stop instead of a danda', 'प्रोफ़ाइल खोलें.', 'प्रोफ़ाइल खोलें। 100 मि.से.'],
  ['hi', 'Devanagari digits', '३ प्रोफ़ाइल', '3 प्रोफ़ाइल'],
  ['hi', 'semicolon', 'खोलें; जाँचें', 'खोलें। जाँचें'],
  ['hi', 'space before a danda', 'खोलें ।', 'खोलें।'],
  ['hi', wordForWord, 'संस्करण', 'वर्शन'],
  ['es', 'question without ¿', 'Tienes dudas?', '¿Tienes dudas?'],
  ['es', 'exclamation without ¡', 'Listo!', '¡Listo!'],
  ['es', 'no-break space before %', '25 %', '25\u00a0%'],
  ['es', wordForWord, 'con el aviso de acceso', 'en la ventana de acceso'],
  ['es', 'used in Spain only', 'Vosotros podéis entrar', 'Puedes entrar'],
  ['pt', 'gerund instead of “a” and infinitive', 'está fazendo', 'está a fazer, estava quando'],
  ['pt', 'Brazilian word', 'o usuário salvou o arquivo', 'o utilizador guardou o ficheiro'],
  ['pt', wordForWord, 'a janela que conduz', 'a janela principal'],
  ['fr', 'straight apostrophe', "l'adresse", 'l’adresse'],
  ['fr', 'no no-break space before ; : ? !', 'Le prix : 9 $', 'Le prix\u00a0: 9\u00a0$ à 8:30'],
  ['fr', 'no no-break space before ; : ? !', 'Pourquoi?', 'Pourquoi\u202f?'],
  ['fr', 'no no-break space inside « »', '« Vérifier »', '«\u00a0Vérifier\u00a0»'],
  ['fr', 'no no-break space before %', '25 %', '25\u00a0%'],
  ['fr', wordForWord, 'sort par le proxy', 'se connecte via le proxy'],
  ['tr', 'suffix after a placeholder', '{{brand}}’in', '{{brand}} tarayıcısı'],
  ['tr', 'question particle after a placeholder', '{{product}} mı?', '{{product}} ve {{brand}}'],
  ['tr', '% after the number', '25 %', '%25'],
  ['tr', wordForWord, 'kol mesafesi', 'güvenli mesafe'],
]

const ruleOf = (locale: LocaleCode, name: string) => {
  const rule = languageRules(locale).find((candidate) => candidate.name === name)
  if (!rule) throw new Error(`${locale} has no rule "${name}"`)
  return rule
}

describe('a rule of a language', () => {
  it.each(examples)('%s: "%s" finds "%s", and nothing in "%s"', (locale, name, bad, good) => {
    const { find } = ruleOf(locale, name)
    expect(find(bad)).not.toEqual([])
    expect(find(good)).toEqual([])
  })

  it('has an example', () => {
    const shown = new Set(examples.map(([, name]) => name))
    const shownWordLists = new Set(
      examples.filter(([, name]) => name === wordForWord).map(([locale]) => locale),
    )
    for (const locale of localeCodes)
      for (const { name } of languageRules(locale)) {
        expect({ name, shown: shown.has(name) }).toEqual({ name, shown: true })
        if (name === wordForWord) expect(shownWordLists).toContain(locale)
      }
  })
})

describe('a word whose form depends on what follows', () => {
  const values = { product: ['GoLogin', 'Incogniton', 'Octo Browser'], brand: ['Polyfacet'] }
  it.each([
    ['ru', 'о {{product}}', 'о {{brand}}, о продукте {{product}}'],
    ['es', '{{brand}} y {{product}}', '{{product}} y {{brand}}'],
    ['es', '{{brand}} o {{product}}', '{{brand}} / {{product}}'],
    ['fr', 'le prix de {{product}}', 'le prix de {{brand}}, avec {{product}}'],
    ['fr', 'l’{{brand}}', 'via {{brand}}'],
  ] as const)('%s: %s does not fit every value, %s does', (locale, bad, good) => {
    const [rule] = placeholderRules(locale, values)
    expect(rule?.find(bad)).not.toEqual([])
    expect(rule?.find(good)).toEqual([])
  })
})

describe('a translation that is not older than its source', () => {
  it.each([
    ['link of the source is missing', 'See [proxies](/docs/proxies).', 'Voir les proxys.'],
    ['bold words of the source are missing', 'Choose **Check**.', 'Choisissez Vérifier.'],
    [
      '`updated` does not cover a change of the source',
      '## One\n\nText\n\n## Two',
      '## Un\n\nTexte',
    ],
  ])('breaks "%s"', (name, source, bad) => {
    const rule = sourceRules.find((candidate) => candidate.name === name)
    expect(rule?.find(source, bad, 'fr')).not.toEqual([])
    expect(rule?.find(source, source, 'fr')).toEqual([])
  })

  it('does not link to pages that its language does not offer', () => {
    const rule = sourceRules.find(({ name }) => name.startsWith('link to a page'))
    const text = 'See [this](/blog/choosing-a-proxy-type) and [that](/docs/team).'
    expect(rule?.find(text, text, 'ru')).toEqual(['/blog/choosing-a-proxy-type'])
    expect(rule?.find(text, text, 'fr')).toEqual([])
  })
})

describe('the names of pages, groups and categories', () => {
  const source = { 'menus:NAVBAR_HELPS': 'Help center', 'search:groups.helps': 'Help center' }
  it('are one name where English has one', () => {
    const names = (menu: string, group: string) =>
      differingNames(
        source,
        { 'menus:NAVBAR_HELPS': menu, 'search:groups.helps': group },
        'es',
      ).map(({ key }) => key)
    expect(names('Ayuda', 'Centro de ayuda')).toEqual(['search:groups.helps'])
    expect(names('Centro de ayuda', 'Centro de ayuda')).toEqual([])
  })
})

describe('the glossary', () => {
  it('has a term of each of at least 60 concepts in every language', () => {
    expect(concepts.length).toBeGreaterThanOrEqual(60)
    expect(new Set(concepts.map(({ id }) => id)).size).toBe(concepts.length)
  })

  it('finds forms to avoid', () => {
    const [rule] = avoidedForms(concepts, 'tc')
    expect(rule?.find('檢查校驗碼')).toEqual(['校驗碼 → 總和檢查碼'])
    expect(rule?.find('檢查總和檢查碼')).toEqual([])
  })

  it('finds a concept that only the source names, and a button', () => {
    const source = `${'A profile. '.repeat(6)}Choose **Check**.`
    expect(missingConcepts(concepts, source, 'Ein Text', 'fr')).toHaveLength(2)
    expect(missingConcepts(concepts, source, 'Un profil. **Vérifier**', 'fr')).toEqual([])
  })

  it('finds a form of two concepts, and a name that the menu does not have', () => {
    const [first, second] = concepts
    if (!first || !second) throw new Error('the glossary has concepts')
    const twins = [first, { ...second, fr: first.fr }]
    expect(contradictions(twins, {}, 'fr')).toHaveLength(1)
    const page = concepts.filter(({ key }) => key === 'menus:NAVBAR_PRICING')
    expect(contradictions(page, { 'menus:NAVBAR_PRICING': 'Prix' }, 'fr')).toHaveLength(1)
    expect(contradictions(page, { 'menus:NAVBAR_PRICING': 'Tarifs' }, 'fr')).toEqual([])
  })
})

describe('a text that breaks a rule', () => {
  const article = (title: string, body: string): string =>
    `---\ntitle: ${title}\ndescription: A\ndate: 2026-11-01\n---\n\n${body}\n`
  /** A project with these texts of the menus and of one article, and with the site's glossary. */
  function projectWith(menus: Record<string, object>, articles: Record<string, string>): string {
    const folder = temporaryFolder('rules')
    for (const name of ['blog/a', 'alternatives'])
      mkdirSync(join(folder, 'content', name), { recursive: true })
    writeFileSync(join(folder, 'content', 'site.yaml'), 'brand: Test\n')
    for (const [locale, texts] of Object.entries(menus)) {
      mkdirSync(join(folder, 'locales', locale), { recursive: true })
      writeFileSync(join(folder, 'locales', locale, 'menus.json'), JSON.stringify(texts, null, 1))
    }
    for (const [locale, text] of Object.entries(articles))
      writeFileSync(join(folder, 'content', 'blog', 'a', `${locale}.md`), text)
    return folder
  }

  it('of the interface is reported with its file and line', () => {
    const names = { NAVBAR_HELPS: 'Help center', NAVBAR_GUIDE: 'Help center' }
    const folder = projectWith(
      {
        en: { NAVBAR_PRICING: 'Pricing', ...names },
        fr: {
          NAVBAR_PRICING: 'Prix',
          NAVBAR_HELPS: 'Centre d’aide',
          NAVBAR_GUIDE: 'Aide  et premiers pas pour commencer',
        },
      },
      {},
    )
    const pricing = concepts.filter(({ key }) => key === 'menus:NAVBAR_PRICING')
    expect(
      checkInterfaceRules(folder, 'fr', pricing).map(({ file, line, rule }) => [file, line, rule]),
    ).toEqual([
      ['content/glossary.yaml', 1, 'glossary'],
      ['locales/fr/menus.json', 4, 'one thing, two names'],
      ['locales/fr/menus.json', 4, 'two spaces'],
      ['locales/fr/menus.json', 4, 'menu label over 26 letters'],
    ])
  })

  it('of an article is reported, also what it lacks of its source', () => {
    const source = `${'A profile. '.repeat(6)}See [proxies](/docs/proxies).`
    const folder = projectWith(
      {},
      { en: article('Profiles', source), fr: article('Les  comptes', 'Des comptes.') },
    )
    const profile = concepts.filter(({ id }) => id === 'profile')
    expect(
      checkArticleRules(folder, 'fr', profile).map(({ file, line, rule }) => [file, line, rule]),
    ).toEqual([
      ['content/blog/a/fr.md', 2, 'two spaces'],
      ['content/blog/a/fr.md', 1, 'link of the source is missing'],
      ['content/blog/a/fr.md', 1, 'term of the glossary is missing'],
    ])
  })
})

it('the number of rules grows with each language', () => {
  const [one, two] = [countRules(root, ['fr']), countRules(root, ['fr', 'th'])]
  expect(one).toBeGreaterThan(languageRules('fr').length)
  expect(two - one).toBeGreaterThan(languageRules('th').length)
})

describe('the texts of this site', () => {
  it.each(localeCodes)('%s keeps the rules of its language', (locale) => {
    expect([
      ...checkInterfaceRules(root, locale, concepts),
      ...checkArticleRules(root, locale, concepts),
    ]).toEqual([])
  })
})
