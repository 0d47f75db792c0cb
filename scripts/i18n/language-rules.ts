import { allLocales, type LocaleCode } from '../../shared/i18n/locales'
import { insertNoBreakSpaces } from '../../shared/i18n/insert-no-break-spaces'
import type { LanguageRule } from './language-rule'
import { wordRules } from './word-lists'

const pattern = (name: string, expression: RegExp): LanguageRule => ({
  name,
  find: (text) => text.match(expression) ?? [],
})

/** Letters that a language is not written with. A lone Latin word is a name in every language. */
function foreignLetters(allowed: string): LanguageRule {
  const letters = new RegExp(`[[\\p{L}]--[\\p{sc=Latn}\\p{sc=Zyyy}\\p{sc=Zinh}${allowed}]]+`, 'gv')
  return {
    name: 'letters of another script',
    // Names of the site's languages are written in each language's own script.
    find: (text) =>
      allLocales.reduce((rest, { name }) => rest.replaceAll(name, ' '), text).match(letters) ?? [],
  }
}

const everywhere: readonly LanguageRule[] = [
  pattern('two spaces', /\S {2,}\S/g),
  pattern('not normalized', /[a-zA-Z][\u0300-\u036f]/g),
  pattern('space before punctuation', /[\p{L}\d] +[,.](?=\s|$)/gu),
]

const straightQuotes = pattern('straight quotation marks', /"|(?<=\p{L})'(?=\p{L})/gu)

const cyrillic: readonly LanguageRule[] = [
  foreignLetters('\\p{sc=Cyrl}'),
  pattern(
    'two scripts in a word',
    /[\p{sc=Cyrl}]*(?:[a-z][\p{sc=Cyrl}]|[\p{sc=Cyrl}][a-z])[\p{sc=Cyrl}]*/giu,
  ),
  // Names of profiles in pictures are written as in English: "Acme – shop".
  pattern(
    'hyphen or wrong dash between words',
    /\p{sc=Cyrl} [-–] \p{sc=Cyrl}(?=.*[.?!…]$)|\p{sc=Cyrl}—\p{sc=Cyrl}/gu,
  ),
  pattern('quotation marks', /[“”"]/g),
  {
    // Pages join short words to the next one automatically; this finds those that are not joined.
    name: 'short word at the end of a line',
    find: (text) =>
      insertNoBreakSpaces(text).match(/(?<![\p{L}’'-])[вксуоиаяі] \p{sc=Cyrl}+/giu) ?? [],
  },
]

const han = '[\\p{sc=Han}]'
const fullWidth = pattern(
  'half-width punctuation',
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}][,;:!?](?!\d)|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]\.(?=\s|$)/gu,
)
/** Placeholders whose values are Latin names. */
const latinValue = '\\{\\{(?:brand|product|plan|email)\\}\\}'
const chinese: readonly LanguageRule[] = [
  foreignLetters('\\p{sc=Han}'),
  // 你们 has no polite form.
  pattern('你 instead of 您', /你(?![们們我])/g),
  fullWidth,
  pattern(
    'no space between Chinese and Latin',
    new RegExp(`${han}(?:[A-Za-z0-9]|${latinValue})|(?:[A-Za-z0-9%]|${latinValue})${han}`, 'gu'),
  ),
]

const counters =
  'つ|日(?!本)|分(?!けて|か|担|類|野|析|散|離|割|岐|身|量|の一)|時間|か月|ヶ月|週間|営業日|人(?!ひと)|件|個|台|枚|種類|か所|段階(?!認証|の本人)|言語|秒'
const brandNames =
  'アマゾン|インスタグラム|フェイスブック|ツイッター|ユーチューブ|グーグル|ティックトック|リンクトイン|ディスコード|パワーシェル|ウィンドウズ|クローム|セレニウム|プレイライト'

/** Rules of each language. English has its own check, `npm run check:copy`. */
const rulesByLanguage: Readonly<Partial<Record<LocaleCode, readonly LanguageRule[]>>> = {
  en: [],
  zh: [...everywhere, ...chinese, ...wordRules('zh')],
  tc: [
    ...everywhere,
    ...chinese,
    pattern('quotation marks', /[“”]/g),
    pattern(
      'Simplified letters',
      /[们这为会国时说对经过还进没电间问题现发动应该实开关长门见让务处单员无从产业样设备账户档检录签语种码选择网络页击输]/g,
    ),
    ...wordRules('tc'),
  ],
  jp: [
    ...everywhere,
    foreignLetters('\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}'),
    fullWidth,
    pattern(
      'kanji number before a counter',
      new RegExp(
        `(?<![第\\p{sc=Han}])(?:[二三四五六七八九]十?|十(?!分))(?:${counters})|(?<![第\\p{sc=Han}])一(?:営業日|分(?!け)|時間|か月|ヶ月|週間|秒)`,
        'gu',
      ),
    ),
    pattern(
      'katakana brand name',
      new RegExp(`(?<![\\p{sc=Kana}ー])(?:${brandNames})(?!マ)`, 'gu'),
    ),
    // In labels a space separates what a sentence would join: "ショップ DE".
    pattern(
      'space between Japanese and Latin',
      /(?:[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}] [A-Za-z0-9]|[A-Za-z0-9] [\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])(?=.*。)/gu,
    ),
    ...wordRules('jp'),
  ],
  ko: [
    ...everywhere,
    foreignLetters('\\p{sc=Hang}'),
    pattern(
      '해요체 ending',
      /[가-힣]*(?<!세|십시|시)(?:어요|아요|해요|예요|에요|네요|군요|지요|죠|워요|려요|져요|돼요|면요|은요)[.?!](?!”)/g,
    ),
    pattern('plain ending', /[가-힣]*(?:[^니]다)\.(?=\s|$)/g),
    pattern(
      'particle after a placeholder',
      /\}\}(?:은|는|이|가|을|를|과|와|으로|로|이나|이라|라)(?=[\s.,]|$)/g,
    ),
    ...wordRules('ko'),
  ],
  ru: [
    ...everywhere,
    ...cyrillic,
    pattern('Ukrainian letters', /[іїєґ]/gi),
    pattern(
      'е instead of ё',
      /(?<!\p{L})(?:еще|ее|учет|учетн\p{L}+|счет|отчет|расчет|дает|найдет|пойдет|придет|придется|идет|трех|четырех|надежн\p{L}+|остается|удается|создается|причем)(?!\p{L})/giu,
    ),
    ...wordRules('ru'),
  ],
  uk: [
    ...everywhere,
    ...cyrillic,
    pattern('Russian letters', /[ыэёъ]/gi),
    pattern('straight apostrophe', /\p{L}'\p{L}/gu),
    ...wordRules('uk'),
  ],
  vn: [
    ...everywhere,
    foreignLetters(''),
    straightQuotes,
    pattern(
      'tone mark of the old spelling',
      /(?<!\p{L})\p{L}*(?:[^qQ\s]u[ỳýỷỹỵ]|o[àáảãạèéẻẽẹ])(?!\p{L})/gu,
    ),
    ...wordRules('vn'),
  ],
  th: [
    ...everywhere,
    foreignLetters('\\p{sc=Thai}'),
    pattern('full stop or question mark', /[\p{sc=Thai}]{5,}[.?!](?=\s|$)/gu),
    pattern('Thai digits', /[๐-๙]/g),
    pattern('breaking space before ๆ', / ๆ/g),
    pattern('polite particle', /(?:ครับ|ค่ะ)(?=\s|$)/g),
    ...wordRules('th'),
  ],
  hi: [
    ...everywhere,
    foreignLetters('\\p{sc=Deva}'),
    straightQuotes,
    pattern('full stop instead of a danda', /(?<!से|मि)(?<=[\p{sc=Deva}])\.(?=\s|$)/gu),
    pattern('Devanagari digits', /[०-९]/g),
    pattern('semicolon', /;/g),
    pattern('space before a danda', / ।/g),
    ...wordRules('hi'),
  ],
  es: [
    ...everywhere,
    foreignLetters(''),
    straightQuotes,
    pattern('quotation marks', /[“”]/g),
    pattern('question without ¿', /^[^¿]*\?(?=[»”")]*(?:\s|$))/g),
    pattern('exclamation without ¡', /^[^¡]*\p{L}!/gu),
    pattern('no-break space before %', /\d[ ]?%/g),
    ...wordRules('es'),
  ],
  pt: [
    ...everywhere,
    foreignLetters(''),
    straightQuotes,
    pattern(
      'gerund instead of “a” and infinitive',
      /(?<!\p{L})est(?:á|ão|ou|amos|ava|avam|ar|iver)\s+(?!quando)\p{L}+ndo(?!\p{L})/giu,
    ),
    ...wordRules('pt'),
  ],
  fr: [
    ...everywhere,
    foreignLetters(''),
    pattern('straight apostrophe', /\p{L}'\p{L}/gu),
    pattern('quotation marks', /[“”"]/g),
    pattern(
      'no no-break space before ; : ? !',
      /[^\s\u00a0\u202f?!:;/\d|-][;?!](?=\s|$|»|\u00a0|\u202f)|[^\s\u00a0\u202f/|:\]-]:(?=\s|$)| [;:?!](?=\s|$|»)/g,
    ),
    pattern('no no-break space inside « »', /«(?![\u00a0\u202f])|(?<![\u00a0\u202f])»/g),
    pattern('no no-break space before %', /(?:\d|\}\}) ?%/g),
    ...wordRules('fr'),
  ],
  tr: [
    ...everywhere,
    foreignLetters(''),
    straightQuotes,
    pattern('suffix after a placeholder', /\}\}['’][a-zçğıöşü]+/g),
    pattern('question particle after a placeholder', /\}\} m[iıuü](?!\p{L})/gu),
    pattern('% after the number', /\d\s?%/g),
    ...wordRules('tr'),
  ],
}

/** A language that is not in the table has those that every language has. */
export const languageRules = (locale: LocaleCode): readonly LanguageRule[] =>
  rulesByLanguage[locale] ?? everywhere
